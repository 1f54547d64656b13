{{- /* What several templates say alike. */ -}}
{{- define "belfry.image" -}}
{{ .Values.image.name }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- define "belfry.secret" -}}
{{ .Values.node.secret | default .Release.Name }}
{{- end -}}
{{- define "belfry.workerSecret" -}}
{{ .Values.worker.secret | default (printf "%s-worker" .Release.Name) }}
{{- end -}}
{{- define "belfry.user" -}}
{runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
{{- end -}}
{{- define "belfry.confined" -}}
{allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
{{- end -}}

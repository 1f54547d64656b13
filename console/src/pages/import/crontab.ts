// The lines of a crontab as jobs. What a schedule means is the server's business; this only takes lines apart.
// For system crontabs, systemd timers and Kubernetes there is `belfry import`, which also reports what changes meaning.
import type {JobDefinition} from '../../api/types';

export interface Line {
  number: number;
  text: string;
  job?: JobDefinition;
  note?: string;
}

const WORD = /[^A-Za-z0-9._-]+/g;

function nameOf(command: string, taken: Set<string>): string {
  const program = command.split(/\s+/).find((word) => !word.includes('=')) ?? 'job';
  const base = `crontab/${(program.split('/').pop() ?? 'job').replace(WORD, '-').slice(0, 60) || 'job'}`;
  let name = base;
  for (let n = 2; taken.has(name); ++n) name = `${base}-${n}`;
  taken.add(name);
  return name;
}

export function readCrontab(text: string, zone: string): Line[] {
  const taken = new Set<string>();
  let timezone = zone;
  return text.split('\n').flatMap((raw, i): Line[] => {
    const line = raw.trim();
    const at = {number: i + 1, text: line};
    if (!line || line.startsWith('#')) return [];
    const setting = /^([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line);
    if (setting) {
      if (setting[1] === 'CRON_TZ' || setting[1] === 'TZ') timezone = setting[2]!.replaceAll(/["']/g, '');
      return [{...at, note: setting[1] === 'CRON_TZ' || setting[1] === 'TZ' ? 'the zone of the lines below' : 'not taken over; put it into the command'}];
    }
    const fields = line.split(/\s+/);
    const count = line.startsWith('@') ? 1 : 5;
    if (fields[0] === '@reboot') return [{...at, note: 'has no equivalent: a node does not know when machines start'}];
    const command = fields.slice(count).join(' ');
    if (!command) return [{...at, note: 'has no command'}];
    const job: JobDefinition = {
      job_name: nameOf(command, taken),
      cron_expression: fields.slice(0, count).join(' '),
      timezone,
      target: {kind: 'EXEC', command: ['/bin/sh', '-c', command.replaceAll('\\%', '%')]},
      concurrency_policy: 'ALLOW', // as cron does
      labels: {source: 'crontab'},
    };
    return [{...at, job, ...(/(^|[^\\])%/.test(command) ? {note: 'has a %, which cron reads as a new line of input'} : {})}];
  });
}

import {dismiss, toasts} from '../state/toasts';
import {now} from '../state/clock';

export const Toaster = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map((toast) => (
      <div key={toast.id} class={`toast fade ${toast.bad ? 'bad' : ''}`}>
        <span class="grow">{toast.text}</span>
        {toast.link && <a href={toast.link.to} onClick={() => dismiss(toast.id)}>{toast.link.text}</a>}
        {toast.undo && (
          <button type="button" onClick={() => (dismiss(toast.id), void toast.undo?.())}>
            Undo <span aria-hidden="true">{Math.max(0, Math.ceil((toast.until - now.value) / 1000))}</span>
          </button>
        )}
        {!toast.undo && <button type="button" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>×</button>}
      </div>
    ))}
  </div>
);

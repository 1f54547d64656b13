// The time of day, as a signal: once a second, for countdowns.
import {signal} from '@preact/signals';

export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now();
});

import {useState} from 'preact/hooks';
import {Refusal} from '../api/client';
import {linkRefused, signIn} from '../state/session';
import {Command, Field} from '../ui/basics';

export function SignIn() {
  const [key, setKey] = useState('');
  const [error, setError] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError('');
    try {
      await signIn(key.trim());
      location.reload();
    } catch (refused) {
      setError(refused instanceof Refusal ? refused.message : String(refused));
    }
  };
  return (
    <main id="main" tabIndex={-1} style={{maxWidth: '460px', margin: '12vh auto 0'}}>
      <form class="card stack" onSubmit={submit}>
        <h1>Belfry</h1>
        {linkRefused.value && <p class="box bad" role="alert">{linkRefused.value}</p>}
        <p class="dim">Sign in with a key; the page keeps it in a cookie that scripts cannot read.</p>
        <Field label="API key" type="password" autocomplete="current-password" autofocus required placeholder="bf_…" value={key} onText={setKey} error={error} />
        <button type="submit" class="btn main" disabled={!key.trim()}>Sign in</button>
        <p class="muted small">Is it your own node? This signs in without a key as long as there is none, and else with the one of your shell:</p>
        <Command text="belfry open" />
        <p class="muted small">No key? Somebody with an admin's key can make one:</p>
        <Command text="belfry keys create NAME --scope viewer" />
      </form>
    </main>
  );
}

// A sentence to fill in, for who does not think in cron. It only writes an expression; the server says what it means.
import {useEffect, useState} from 'preact/hooks';

type Rhythm = 'minutes' | 'hour' | 'day' | 'weekday' | 'month';
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

export function Builder({onPick}: {onPick: (expression: string) => void}) {
  const [rhythm, setRhythm] = useState<Rhythm>('day');
  const [step, setStep] = useState(15);
  const [time, setTime] = useState('09:00');
  const [days, setDays] = useState<string[]>(['MON', 'TUE', 'WED', 'THU', 'FRI']);
  const [day, setDay] = useState('1');
  const [hour = '9', minute = '0'] = time.split(':').map((part) => String(Number(part)));
  const expression = {
    minutes: `*/${step} * * * *`,
    hour: `${minute} * * * *`,
    day: `${minute} ${hour} * * *`,
    weekday: `${minute} ${hour} * * ${days.join(',') || '*'}`,
    month: `${minute} ${hour} ${day} * *`,
  }[rhythm];
  useEffect(() => onPick(expression), [expression]);
  return (
    <div class="box builder">
      <span>Run</span>
      <select aria-label="How often" value={rhythm} onChange={(event) => setRhythm(event.currentTarget.value as Rhythm)}>
        <option value="minutes">every few minutes</option>
        <option value="hour">every hour</option>
        <option value="day">every day</option>
        <option value="weekday">on some weekdays</option>
        <option value="month">every month</option>
      </select>
      {rhythm === 'minutes' && <><span>every</span><select aria-label="Minutes" value={step} onChange={(event) => setStep(Number(event.currentTarget.value))}>{[1, 2, 3, 5, 10, 15, 20, 30].map((n) => <option key={n} value={n}>{n}</option>)}</select><span>minutes</span></>}
      {rhythm === 'weekday' && <span class="days" role="group" aria-label="Weekdays">{DAYS.map((each) => <button key={each} type="button" class="chip" aria-pressed={days.includes(each)} onClick={() => setDays(DAYS.filter((one) => (one === each ? !days.includes(one) : days.includes(one))))}>{each[0] + each.slice(1).toLowerCase()}</button>)}</span>}
      {rhythm === 'month' && <><span>on</span><select aria-label="Day of the month" value={day} onChange={(event) => setDay(event.currentTarget.value)}>{Array.from({length: 28}, (_, i) => <option key={i} value={String(i + 1)}>day {i + 1}</option>)}<option value="L">the last day</option><option value="1W">the first working day</option><option value="LW">the last working day</option></select></>}
      {rhythm !== 'minutes' && <><span>{rhythm === 'hour' ? 'at minute of' : 'at'}</span><input type="time" aria-label="Time" value={time} onInput={(event) => setTime(event.currentTarget.value || '00:00')} /></>}
    </div>
  );
}

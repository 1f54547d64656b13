// The first sentence of the console: is all well?
import {lateRuns, stuckRuns, type Picture} from '../../api/attention';
import type {Count, Forecast, Trouble} from '../../api/types';
import {worthSaying} from '../../ui/troubles';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];
const number = (value: number): string => NUMBERS[value] ?? value.toLocaleString('en');
const counted = (count: Count, bound: string): string => (count.exact ? '' : bound) + count.value.toLocaleString('en');

// What the cluster says is wrong. Whether runs wait in vain is its to say: from a page they look like those that wait for
// a check-in, or for another run of their job.
export const wrong = (picture: Picture): Trouble[] => worthSaying(picture.cluster.problems);

export function headline(picture: Picture): string {
  const {jobs} = picture.stats;
  if (jobs.active.value + jobs.paused.value === 0) return 'Nothing to ring for yet.';
  const {partitions} = picture.cluster;
  if (partitions.owned < partitions.total) return `${partitions.total - partitions.owned} of ${partitions.total} partitions have no node: their jobs wait.`;
  const worst = wrong(picture)[0];
  if (worst?.severity === 'critical') return worst.sentence;
  const need = jobs.failing.value + stuckRuns(picture.recent, picture.at).length;
  if (need) return `${number(need)} ${need === 1 ? 'job needs' : 'jobs need'} you.${worst ? '' : ' Everything else rings on time.'}`;
  if (worst) return worst.sentence;
  if (lateRuns(picture.recent).length) return 'All is well now. Some runs were late today.';
  return 'All is well. Everything rings on time.';
}

export function subline(picture: Picture, forecast: Forecast | undefined): string {
  const {jobs} = picture.stats;
  const {partitions, nodes} = picture.cluster;
  const alive = nodes.filter((node) => node.alive).length;
  const soon = forecast?.minutes.slice(0, 5).reduce((sum, ticks) => sum + ticks, 0);
  return [
    `${counted(jobs.active, '≈ ')} active, ${counted(jobs.paused, '≥ ')} paused`,
    nodes.length > 0 && `${alive} ${alive === 1 ? 'node owns' : 'nodes own'} ${partitions.owned} of ${partitions.total} partitions`,
    soon !== undefined && `next five minutes: ${soon.toLocaleString('en')} ${soon === 1 ? 'tick' : 'ticks'}`,
  ].filter(Boolean).join(' · ');
}

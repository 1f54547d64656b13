// The same choice of jobs in three languages: the list's, the server's for work on many, and the command line's.
import type {Query} from '../../api/client';
import type {JobSelector} from '../../api/types';

const texts = (value: Query[string]): string[] => (Array.isArray(value) ? value : []);

export function selectorOf(filter: Query): JobSelector {
  const labels = texts(filter.label);
  const selector: JobSelector = {
    ...(labels.length ? {labels} : {}),
    ...(filter.q ? {name_contains: String(filter.q)} : {}),
    ...(filter.status ? {status: String(filter.status) as 'ACTIVE'} : {}),
    ...(filter.job_type ? {job_type: String(filter.job_type)} : {}),
    ...(filter.failing ? {failing: true} : {}),
  };
  return Object.keys(selector).length ? selector : {all: true};
}

export function flagsOf(selector: JobSelector): string[] {
  return [
    ...(selector.labels ?? []).flatMap((label) => ['-l', label]),
    ...(selector.name_contains ? ['--match', selector.name_contains] : []),
    ...(selector.status ? ['--status', selector.status.toLowerCase()] : []),
    ...(selector.job_type ? ['--type', selector.job_type] : []),
    ...(selector.failing ? ['--failing'] : []),
    ...(selector.all ? ['--all'] : []),
  ];
}

// In words, for a heading.
export function wordsOf(selector: JobSelector): string {
  const parts = [
    selector.status?.toLowerCase(),
    selector.failing && 'failing',
    selector.job_type && `of type ${selector.job_type}`,
    selector.name_contains && `with “${selector.name_contains}” in their name`,
    selector.labels?.length && `labelled ${selector.labels.join(' and ')}`,
  ].filter(Boolean);
  return parts.length ? parts.join(', ') : 'every job';
}

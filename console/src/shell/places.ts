// The pages of the console, in the order of the rail.
export interface Place {
  to: string;
  name: string;
  keys: string;
  about: string;
}

export const places: Place[] = [
  {to: '/', name: 'Overview', keys: 'g o', about: 'is all well, and what comes next'},
  {to: '/jobs', name: 'Jobs', keys: 'g j', about: 'what is to be done, and when'},
  {to: '/runs', name: 'Runs', keys: 'g r', about: 'what was done'},
  {to: '/upcoming', name: 'Upcoming', keys: 'g u', about: 'how much comes when'},
  {to: '/calendar', name: 'Calendar', keys: 'g m', about: 'a month of a job'},
  {to: '/dead-letters', name: 'Dead letters', keys: 'g d', about: 'what gave up'},
  {to: '/alerts', name: 'Alerts', keys: 'g a', about: 'what is wrong, by your rules'},
  {to: '/checkins', name: 'Check-ins', keys: 'g i', about: 'work done elsewhere that reports here'},
  {to: '/workers', name: 'Workers', keys: 'g w', about: 'who executes'},
  {to: '/cluster', name: 'Cluster', keys: 'g c', about: 'nodes and partitions'},
  {to: '/audit', name: 'Audit', keys: 'g l', about: 'who changed what'},
  {to: '/settings', name: 'Settings', keys: 'g s', about: 'keys, tenants, types, calendars, secrets'},
  {to: '/docs', name: 'Docs', keys: 'g h', about: 'how it works, every call and every problem'},
];

export const placeOf = (path: string): Place | undefined => {
  const first = `/${path.split('/')[1] ?? ''}`;
  return places.find((place) => place.to === first);
};

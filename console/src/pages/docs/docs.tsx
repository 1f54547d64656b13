// The project's docs, in the node itself: they fit its version, and need no other place.
import './docs.css';
import {useEffect, useState} from 'preact/hooks';
import {useLoad} from '../../api/load';
import {query, segments, setQuery} from '../../state/route';
import {Bones, Card, PageHead} from '../../ui/basics';
import {docNamed, docs, linkFrom, rooms, type Doc} from './library';
import {Prose} from './prose';
import {search, type Found} from './search';

const ROOM_NAMES: Record<string, string> = {'': 'Belfry', operating: 'Operating', decisions: 'Why it is so'};
const roomName = (room: string): string => ROOM_NAMES[room] ?? room[0]!.toUpperCase() + room.slice(1);

export default function Docs() {
  const [first, ...rest] = segments.value;
  const name = first === 'problems' ? 'reference/problems' : rest.join('/');
  const hash = first === 'problems' ? rest[0] ?? '' : decodeURIComponent(location.hash.slice(1));
  const words = query.value.get('q') ?? '';
  const doc = docNamed(name);
  return (
    <div class="docs">
      <Contents current={name} />
      <div class="doc">
        <input type="search" data-search aria-label="Search the docs" placeholder="Search the docs   /" value={words} onInput={(event) => setQuery({q: event.currentTarget.value})} />
        {words ? <Results words={words} /> : doc ? <Page key={name} doc={doc} hash={hash} /> : <Cover known={name === ''} />}
      </div>
    </div>
  );
}

const Contents = ({current}: {current: string}) => (
  <nav class="contents" aria-label="Docs">
    {rooms.map((room) => (
      <details key={room} open={room !== 'decisions' && room !== 'internals' ? true : current.startsWith(room)}>
        <summary>{roomName(room)}</summary>
        <ul>{docs.filter((doc) => doc.room === room).map((doc) => <li key={doc.name}><a href={`/docs/${doc.name}`} aria-current={doc.name === current ? 'page' : undefined}>{doc.title}</a></li>)}</ul>
      </details>
    ))}
    <ul><li><a href="/docs/api">REST reference</a></li></ul>
  </nav>
);

function Page({doc, hash}: {doc: Doc; hash: string}) {
  const text = useLoad(`doc:${doc.name}`, doc.read).data;
  useEffect(() => {
    if (text !== undefined && hash) document.getElementById(hash)?.scrollIntoView();
  }, [text, hash]);
  if (text === undefined) return <Bones rows={12} />;
  return <article><Prose text={text} linkOf={(href) => linkFrom(doc.name, href)} /></article>;
}

function Results({words}: {words: string}) {
  const [found, setFound] = useState<Found[]>();
  useEffect(() => {
    let wanted = true;
    void search(words).then((all) => wanted && setFound(all));
    return () => void (wanted = false);
  }, [words]);
  if (!found) return <Bones />;
  return (
    <>
      <h1>{found.length ? `“${words}” in the docs` : `Nothing about “${words}”`}</h1>
      <ul class="hits" role="list">
        {found.map((hit) => (
          <li key={`${hit.doc.name}#${hit.id}`}>
            <a href={`/docs/${hit.doc.name}${hit.id ? `#${hit.id}` : ''}`}>{hit.doc.title}{hit.section && hit.section !== hit.doc.title && ` › ${hit.section}`}</a>
            <p class="dim">{hit.text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

const START: [string, string, string][] = [
  ['/docs/concepts/cron', 'Cron expressions', 'the fields, the words, and what each dialect means'],
  ['/docs/concepts/schedules', 'Schedules', 'zones, nights when clocks change, calendars, jitter'],
  ['/docs/guides/why', 'Why did it not run?', 'the answers, and what to do about each'],
  ['/docs/guides/workers', 'Workers', 'how runs are claimed and reported'],
  ['/docs/guides/webhooks', 'Webhooks', 'runs as signed calls'],
  ['/docs/guides/secrets', 'Secrets', 'kept sealed, named by jobs'],
  ['/docs/reference/cli', 'Command line', 'every verb of belfry'],
  ['/docs/reference/configuration', 'Configuration', 'every setting of a node'],
  ['/docs/reference/problems', 'Problems', 'each refusal, and what to do'],
  ['/docs/api', 'REST reference', 'every call, to try against this node'],
];

const Cover = ({known}: {known: boolean}) => (
  <>
    <PageHead title={known ? 'Docs' : 'There is no such page in the docs'} sub="Of this version, served by this node." />
    <div class="cover">{START.map(([to, title, about]) => <Card key={to}><a class="name" href={to}>{title}</a><p class="dim">{about}</p></Card>)}</div>
  </>
);

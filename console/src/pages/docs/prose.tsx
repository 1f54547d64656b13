// Markdown on the page, as elements: no HTML is ever made from a text.
import type {ComponentChildren} from 'preact';
import {parse, type Block} from './markdown';

export type LinkOf = (href: string) => string | undefined; // undefined: not a place one can go to from here

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|(?<![\w*])\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\(([^)\s]+)\)|<(https?:[^>]+)>/;
const web: LinkOf = (href) => (/^(https?:\/\/|#|\/)/.test(href) ? href : undefined);

function inline(text: string, linkOf: LinkOf): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    const [whole, code, bold, slanted, words, href, bare] = found;
    out.push(rest.slice(0, found.index));
    const to = href ?? bare;
    const target = to === undefined ? undefined : linkOf(to);
    if (code !== undefined) out.push(<code>{code}</code>);
    else if (bold !== undefined) out.push(<strong>{inline(bold, linkOf)}</strong>);
    else if (slanted !== undefined) out.push(<em>{inline(slanted, linkOf)}</em>);
    else out.push(target === undefined ? inline(words ?? '', linkOf) : <a href={target} {...(/^https?:/.test(target) ? {rel: 'noreferrer', target: '_blank'} : {})}>{words === undefined ? bare : inline(words, linkOf)}</a>);
    rest = rest.slice(found.index + whole.length);
  }
  out.push(rest);
  return out;
}

function Heading({level, id, children}: {level: number; id: string; children: ComponentChildren}) {
  const Tag = `h${level}` as 'h2';
  return <Tag id={id}>{children}</Tag>;
}

function One({block, linkOf}: {block: Block; linkOf: LinkOf}) {
  switch (block.kind) {
    case 'heading': return <Heading level={block.level} id={block.id}>{inline(block.text, linkOf)}</Heading>;
    case 'paragraph': return <p>{inline(block.text, linkOf)}</p>;
    case 'code': return <pre tabIndex={0}>{block.text}</pre>;
    case 'quote': return <blockquote><Blocks blocks={block.blocks} linkOf={linkOf} /></blockquote>;
    case 'list': {
      const items = block.items.map((item, i) => <li key={i}>{item.length === 1 && item[0]!.kind === 'paragraph' ? inline(item[0]!.text, linkOf) : <Blocks blocks={item} linkOf={linkOf} />}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table': return (
      <div class="table"><table>
        <thead><tr>{block.head.map((cell, i) => <th key={i}>{cell ? inline(cell, linkOf) : <span class="sr">—</span>}</th>)}</tr></thead>
        <tbody>{block.rows.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j}>{inline(cell, linkOf)}</td>)}</tr>)}</tbody>
      </table></div>
    );
  }
}

const Blocks = ({blocks, linkOf}: {blocks: Block[]; linkOf: LinkOf}) => <>{blocks.map((block, i) => <One key={i} block={block} linkOf={linkOf} />)}</>;

export const Prose = ({text, linkOf = web}: {text: string; linkOf?: LinkOf}) => (
  <div class="prose"><Blocks blocks={parse(text.split('\n'))} linkOf={linkOf} /></div>
);

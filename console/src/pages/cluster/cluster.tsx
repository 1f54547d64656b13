// Nodes and the 256 partitions they share, as it changes.
import {useEffect, useState} from 'preact/hooks';
import {cluster} from '../../api/calls';
import {useLoad} from '../../api/load';
import type {Cluster as ClusterOfApi, Node} from '../../api/types';
import {isRoot} from '../../state/session';
import {Bones, Card, PageHead, Pill, Trouble} from '../../ui/basics';
import {Countdown, Time} from '../../ui/time';
import {TroubleList} from '../../ui/troubles';
import {fillOf, PartitionMap} from './partition_map';
import './cluster.css';

export default function Cluster() {
  const {data, problem, reload} = useLoad('cluster:page', cluster.read, {every: 2000});
  const happenings = useHappenings(data);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Bones rows={10} />;
  const alive = data.nodes.filter((node) => node.alive);
  const {total, owned} = data.partitions;
  const leader = data.nodes.find((node) => node.node_id === data.leader?.node_id);
  return (
    <>
      <PageHead
        title={owned === total ? `All ${total} partitions have a node.` : `${total - owned} of ${total} partitions have no node.`}
        sub={!isRoot.value ? 'Which nodes there are is for root to see.' : `${alive.length} ${alive.length === 1 ? 'node' : 'nodes'} alive${leader ? ` · ${leader.name} does the chores of the cluster` : ''}`}
      />
      {problem && <Trouble problem={problem} />}
      {data.problems.length > 0 && <div class="stack spaced"><Card title="What is wrong, the worst first" flush><TroubleList troubles={data.problems} /></Card></div>}
      {isRoot.value && <div class="cols">
        <Card title="Partitions, by owner"><PartitionMap cluster={data} /></Card>
        <div class="stack">
          <Card title="Nodes" flush><Nodes nodes={data.nodes} leader={data.leader?.node_id} /></Card>
          <Card title="Since you opened this page">
            {happenings.length === 0 ? <p class="muted">Nothing changed hands.</p> : <ul class="happenings">{happenings.map((each, i) => <li key={i}><Time at={each.at} seconds /> {each.text}</li>)}</ul>}
          </Card>
        </div>
      </div>}
    </>
  );
}

interface Happening {
  at: number;
  text: string;
}

const MOST = 30;

// What changed between two looks: joins, leaves, partitions that went from one to another.
export function differences(before: ClusterOfApi, after: ClusterOfApi): string[] {
  const name = (id: string | null): string => after.nodes.find((node) => node.node_id === id)?.name ?? before.nodes.find((node) => node.node_id === id)?.name ?? 'nobody';
  const wasAlive = new Set(before.nodes.filter((node) => node.alive).map((node) => node.node_id));
  const texts: string[] = [];
  for (const node of after.nodes) if (node.alive && !wasAlive.has(node.node_id)) texts.push(`${node.name} joined`);
  for (const id of wasAlive) if (!after.nodes.some((node) => node.node_id === id && node.alive)) texts.push(`${name(id)} left`);
  const moves = new Map<string, number>();
  const owners = new Map(before.partitions.map.map((partition) => [partition.partition, partition.owner]));
  for (const partition of after.partitions.map) {
    const old = owners.get(partition.partition) ?? null;
    if (old !== partition.owner) {
      const key = `from ${name(old)} to ${name(partition.owner)}`;
      moves.set(key, (moves.get(key) ?? 0) + 1);
    }
  }
  for (const [way, count] of moves) texts.push(`${count} ${count === 1 ? 'partition' : 'partitions'} ${way}`);
  return texts;
}

function useHappenings(state: ClusterOfApi | undefined): Happening[] {
  const [before, setBefore] = useState<ClusterOfApi>();
  const [found, setFound] = useState<Happening[]>([]);
  useEffect(() => {
    if (!state) return;
    const texts = before ? differences(before, state) : [];
    setBefore(state);
    if (texts.length) setFound((old) => [...texts.map((text) => ({at: Date.parse(state.now), text})), ...old].slice(0, MOST));
  }, [state]);
  return found;
}

const Nodes = ({nodes, leader}: {nodes: Node[]; leader: string | undefined}) => (
  <div class="table"><table>
    <thead><tr><th>State</th><th>Node</th><th class="num">Partitions</th><th class="c1">Up since</th><th class="c2">Lease</th></tr></thead>
    <tbody>
      {nodes.map((node, i) => (
        <tr key={node.node_id}>
          <td><Pill kind={node.alive ? 'ok' : 'off'}>{node.alive ? 'Alive' : 'Gone'}</Pill></td>
          <td class="fill" title={node.node_id}>
            <svg width="12" height="12" class="swatch" aria-hidden="true"><rect width="12" height="12" rx="2" {...fillOf(i, node.alive)} /></svg> <span class="name">{node.name}</span> <span class="muted">{node.region}</span> {node.node_id === leader && <span class="tag">leader</span>}
          </td>
          <td class="num">{node.partitions}</td>
          <td class="c1"><Time at={node.started_at} /></td>
          <td class="c2"><Countdown at={node.lease_until} /></td>
        </tr>
      ))}
    </tbody>
  </table></div>
);

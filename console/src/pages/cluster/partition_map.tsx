// 16 by 16 cells, one for each partition; the shade says whose it is, an empty one is nobody's.
import type {Cluster, Partition} from '../../api/types';
import {Twin} from '../../charts/twin';
import {shortDuration} from '../../time/duration';

const SIDE = 16;
const CELL = 24;
const SHADES = ['var(--accent)', 'var(--run)', 'var(--ok)', 'var(--late)', 'var(--ink-2)', 'var(--skip)'];

export const fillOf = (owner: number, alive: boolean) => ({
  fill: owner >= 0 && alive ? SHADES[owner % SHADES.length]! : 'none',
  'fill-opacity': 0.35 + 0.4 * (1 - (Math.floor(owner / SHADES.length) % 3) / 3),
  stroke: owner >= 0 && alive ? 'none' : 'var(--bad)',
});

export function PartitionMap({cluster}: {cluster: Cluster}) {
  const order = new Map(cluster.nodes.map((node, i) => [node.node_id, i]));
  const now = Date.parse(cluster.now);
  const regions = new Map<number, Partition[]>();
  for (const partition of cluster.partitions.map) {
    const region = Math.floor(partition.partition / 256);
    regions.set(region, [...(regions.get(region) ?? []), partition]);
  }
  const nodeOf = (owner: string | null) => cluster.nodes[order.get(owner ?? '') ?? -1];
  const table = () => ({
    head: ['Partition', 'Owner', 'Epoch', 'Decided through'],
    rows: cluster.partitions.map.map((partition) => [partition.partition, nodeOf(partition.owner)?.name ?? 'nobody', partition.epoch, partition.decided_through] as (string | number)[]),
  });
  return (
    <Twin name="Partitions and their owners" table={table}>
      {[...regions].map(([region, partitions]) => (
        <svg key={region} class="partitions" viewBox={`0 0 ${SIDE * CELL} ${SIDE * CELL}`} role="img" aria-label={`${partitions.length} partitions; the table has the owner of each`}>
          {partitions.map((partition) => {
            const slice = partition.partition % 256;
            const node = nodeOf(partition.owner);
            return (
              <rect key={slice} x={(slice % SIDE) * CELL + 1} y={Math.floor(slice / SIDE) * CELL + 1} width={CELL - 2} height={CELL - 2} rx={3} {...fillOf(order.get(partition.owner ?? '') ?? -1, node?.alive ?? false)}>
                <title>{`partition ${partition.partition}: ${node?.name ?? 'nobody'}, epoch ${partition.epoch}, decided through ${shortDuration(Math.max(0, now - Date.parse(partition.decided_through)))} ago`}</title>
              </rect>
            );
          })}
        </svg>
      ))}
    </Twin>
  );
}

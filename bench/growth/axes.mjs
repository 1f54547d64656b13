// A point of each curve: the start lag of a steady load, over a gRPC stream where nothing else is said.
import { fire } from '../lib/fires.mjs';
import { cold, range, register, unlimited } from '../lib/jobs.mjs';
import { BelfryNode, withNode } from '../lib/node.mjs';
import { query } from '../lib/servers.mjs';
import { sleep, waitFor } from '../lib/time.mjs';
import { openTransaction } from '../horizon/hold.mjs';

const measured = async (x, figures) => ({ x, ...(await figures) });
const usual = ({ base, seconds }) => ({ way: 'grpc', fires: base, seconds });

export const fires = (scene, { x, seconds }) =>
  withNode(scene, async (node) => {
    await unlimited(node.rest);
    return measured(x, fire(scene, node, { way: 'grpc', fires: x, seconds }));
  });

export const jobs = (scene, order) =>
  withNode(scene, async (node) => {
    await unlimited(node.rest);
    await register(node.rest, order.x, cold);
    await query(scene.url, 'vacuum analyze');
    const loaded = async () => (await node.rest.metric('belfry_timetable_jobs')) >= order.x;
    await waitFor('all jobs in the timetable', loaded, { limit: 900_000, pause: 100 });
    return measured(order.x, fire(scene, node, usual(order)));
  });

// Each tenant has its share of jobs that tick once a minute.
export const tenants = (scene, order) =>
  withNode(scene, async (node) => {
    const enroll = async (rest, count, make) => {
      let next = 0;
      const lane = async () => {
        while (next < order.x) {
          const tenant = next++;
          const own = range(count, (index) => index).filter((index) => index % order.x === tenant);
          await rest.call('PUT', `/tenants/tenant-${tenant}`, { max_in_flight: 0, max_requests: 0 });
          await rest.call('POST', '/jobs:batch', { jobs: own.map(make) }, { 'belfry-tenant': `tenant-${tenant}` });
        }
      };
      await Promise.all(range(16, lane));
    };
    const lead = 2_000 + order.base / 5 + order.x * 10;
    return measured(order.x, fire(scene, node, { ...usual(order), period: 60, enroll, lead }));
  });

export const nodes = (scene, order) =>
  withNode(scene, async (first) => {
    const others = [];
    for (let number = 2; number <= order.x; number++) {
      others.push(await BelfryNode.start(scene, scene.url, { name: `node-${number}` }));
    }
    await sleep(10_000); // the partitions are shared out
    const figures = await fire(scene, first, { ...usual(order), nodes: [first, ...others] });
    for (const node of others) await node.stop();
    return { x: order.x, ...figures };
  });

export const workers = (scene, order) =>
  withNode(scene, (node) => measured(order.x, fire(scene, node, { ...usual(order), way: 'rest', polls: order.x, lead: 5_000 + order.x })));

export const age = (scene, order) =>
  withNode(scene, async (node) => {
    const transaction = await openTransaction(scene.url);
    // Work goes on while it is open: that is what piles up. Its jobs are those that are measured then.
    const piled = order.x > 0 && (await fire(scene, node, { ...usual(order), seconds: order.x }));
    const figures = await fire(scene, node, { ...usual(order), ...(piled && { enroll: async () => {} }) });
    await transaction.close();
    return { x: order.x, ...figures };
  });

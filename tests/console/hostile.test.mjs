// Texts of others are text: 40 strings that would like to be script, in every field that is shown.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, open} from './browser.mjs';
import {furnish, settled} from './every_page.mjs';
import {Node} from './node.mjs';

const CALL = 'injected()';
const STRINGS = [
  `<script>${CALL}</script>`, `"><script>${CALL}</script>`, `'><script>${CALL}</script>`, `</script><script>${CALL}</script>`, `<img src=x onerror=${CALL}>`,
  `"><img src=x onerror=${CALL}>`, `<svg onload=${CALL}>`, `<svg><script>${CALL}</script></svg>`, `<svg/onload=${CALL}>`, `<body onload=${CALL}>`,
  `<iframe src="javascript:parent.${CALL}">`, `<iframe srcdoc="<script>parent.${CALL}</script>">`, `<a href="javascript:${CALL}">x</a>`, `javascript:${CALL}`, `JaVaScRiPt:${CALL}`,
  `data:text/html,<script>${CALL}</script>`, `<object data="javascript:${CALL}">`, `<embed src="javascript:${CALL}">`, `<details open ontoggle=${CALL}>`, `<input autofocus onfocus=${CALL}>`,
  `<select autofocus onfocus=${CALL}>`, `<video><source onerror=${CALL}></video>`, `<audio src=x onerror=${CALL}>`, `<math><mi//xlink:href="javascript:${CALL}">`, `<marquee onstart=${CALL}>`,
  `<style>@import 'javascript:${CALL}';</style>`, `<div style="background:url(javascript:${CALL})">`, `<link rel=stylesheet href="javascript:${CALL}">`, `<meta http-equiv=refresh content="0;url=javascript:${CALL}">`, `<base href="javascript:${CALL}//">`,
  `{{constructor.constructor('${CALL}')()}}`, `\${${CALL}}`, `<template><script>${CALL}</script></template>`, `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`, `<x onclick=${CALL} tabindex=1 autofocus onfocus=${CALL}>`,
  `"onmouseover=${CALL} "`, `' autofocus onfocus='${CALL}`, `<form action="javascript:${CALL}"><button autofocus>`, `<button formaction="javascript:${CALL}">`, `\u202e<script>${CALL}</script>`,
];

let browser;
let node;
before(async () => {
  browser = await launch();
});
after(async () => browser?.close());

test('none of 40 strings runs, on any page', async () => {
  assert.equal(STRINGS.length, 40);
  node = await Node.start();
  try {
    // Each field holds a different string on each round, so that every field meets every string of its kind.
    let next = 0;
    const pages = await furnish(node, (field) => {
      const text = STRINGS[next++ % STRINGS.length];
      return field === 'fine' || field === 'bad' || field === 'held' || field === 'watched' ? `${field} ${text}` : text;
    });
    for (const [i, text] of STRINGS.entries()) {
      const job = await node.job(`${i} ${text}`, {job_type: 'hostile', max_attempts: 1, description: text, labels: {what: text}, payload: {text}});
      await node.call('POST', `/jobs/${job.job_id}/pause`, {note: text});
      await node.finished(job, i % 2 ? {status: 'FAILED', error: text, retryable: false, log: text} : {status: 'SUCCEEDED', result: text, log: text});
    }
    const page = await open(browser, node, '/');
    const list = await node.call('GET', '/jobs?limit=100');
    const more = list.items.flatMap((job) => [`/jobs/${job.job_id}`]).concat((await node.call('GET', '/runs?limit=100')).items.map((run) => `/runs/${run.run_id}`));
    for (const path of [...Object.values(pages), ...more]) {
      await page.goto(node.url + path);
      await settled(page);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('option').nth(20).waitFor();
    // The address is a text of others, too.
    await page.goto(`${node.url}/jobs?q=${encodeURIComponent(STRINGS[0])}&label=${encodeURIComponent(`a=${STRINGS[4]}`)}&type=${encodeURIComponent(STRINGS[6])}`);
    await settled(page);
    await page.goto(`${node.url}/jobs/${encodeURIComponent(STRINGS[4])}`);
    await settled(page).catch(() => undefined);
    await page.finish();
  } finally {
    await node.stop();
  }
});

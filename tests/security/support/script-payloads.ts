/** Calls the canary of the page if anything runs it. `N` makes each its own, so that a run names the one that got through. */
const shapes: readonly ((call: string) => string)[] = [
  (call) => `<script>${call}</script>`,
  (call) => `"><script>${call}</script>`,
  (call) => `'><img src=x onerror=${call}>`,
  (call) => `<img src=x onerror="${call}">`,
  (call) => `<svg onload=${call}>`,
  (call) => `<svg><script>${call}</script></svg>`,
  (call) => `<iframe srcdoc="<script>parent.${call}</script>">`,
  (call) => `<body onload=${call}>`,
  (call) => `<details open ontoggle=${call}>`,
  (call) => `<input autofocus onfocus=${call}>`,
  (call) => `javascript:${call}`,
  (call) => `" onmouseover="${call}" x="`,
  (call) => `' autofocus onfocus='${call}`,
  (call) => `</title><script>${call}</script>`,
  (call) => `</textarea><script>${call}</script>`,
  (call) => `{{constructor.constructor("${call}")()}}`,
  (call) => `\${${call}}`,
  (call) => `<a href="javascript:${call}">x</a>`,
  (call) => `<math><mtext></p><img src onerror=${call}>`,
  (call) => `<template><img src=x onerror=${call}></template>`,
];

/** So many texts, each a different way or a different number of the canary. */
export function scriptPayloads(count: number): readonly string[] {
  return Array.from({ length: count }, (_none, at) => {
    const shape = shapes[at % shapes.length] as (call: string) => string;
    return shape(`__canary(${at})`);
  });
}

import {defineConfig} from 'vite';

// In development the page comes from Vite and the API from a node: BELFRY=http://127.0.0.1:7070 npm run dev
const node = process.env.BELFRY ?? 'http://127.0.0.1:7070';

export default defineConfig({
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact'},
  build: {
    outDir: process.env.BELFRY_CONSOLE_OUT ?? 'dist',
    emptyOutDir: true,
    manifest: true, // tests/console/budget.mjs weighs by it
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy has no data: URLs
    modulePreload: {polyfill: false},
    reportCompressedSize: false,
  },
  server: {fs: {allow: ['..']}, proxy: {'/api': node, '/openapi.json': node, '/healthz': node}},
});

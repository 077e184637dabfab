/** Modules that are no JavaScript, as `scripts/worker-modules.ts` gives them. */
declare module '*.wasm?module' {
  const module: WebAssembly.Module
  export default module
}
declare module '*.woff?module' {
  const bytes: ArrayBuffer
  export default bytes
}

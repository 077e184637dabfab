/** Modules other than JavaScript, provided by `scripts/worker-modules.ts`. */
declare module '*.wasm?module' {
  const module: WebAssembly.Module
  export default module
}
declare module '*.woff?module' {
  const bytes: ArrayBuffer
  export default bytes
}

import { fileURLToPath } from 'node:url'

// What Node is to do with an `import wasm from 'x.wasm?module'` when no bundler runs: what worker-modules.ts does for
// tests and the development server. Plain JavaScript, for Node loads its hooks in a thread without ours.
const suffix = '?module'

export async function resolve(specifier, context, nextResolve) {
  if (!specifier.endsWith(suffix)) return nextResolve(specifier, context)
  const { url } = await nextResolve(specifier.slice(0, -suffix.length), context)
  return { url: `${url}${suffix}`, format: 'module', shortCircuit: true }
}

export function load(url, context, nextLoad) {
  if (!url.endsWith(suffix)) return nextLoad(url, context)
  const path = fileURLToPath(url.slice(0, -suffix.length))
  const bytes = `new Uint8Array(readFileSync(${JSON.stringify(path)})).buffer`
  const value = path.endsWith('.wasm') ? `new WebAssembly.Module(${bytes})` : bytes
  const source = `import { readFileSync } from 'node:fs'\nexport default ${value}`
  return { format: 'module', source, shortCircuit: true }
}

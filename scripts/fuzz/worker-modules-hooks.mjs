import { fileURLToPath } from 'node:url'

// Module hooks of Node for `import wasm from 'x.wasm?module'` without a bundler, as worker-modules.ts does
// for tests and the development server. Plain JavaScript, because Node loads hooks in a thread without our
// TypeScript loader.
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

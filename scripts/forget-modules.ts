import { fileURLToPath } from 'node:url'
import { statefulModules } from './stateful-modules.ts'

/** A module in the graph of a Vitest worker, with the fields that `vi.resetModules` resets. */
interface ModuleNode {
  promise: unknown
  exports: unknown
  evaluated: boolean
  importers: Set<string>
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** The rooms and other modules with state of their own, and tests, which are run by loading them. */
const stateful = [
  new RegExp(`^${statefulModules}`),
  /^functions\/domain\/dataset\/field-use\.|^db\/(?:connect|directory)\./,
  /^scripts\/|\.(?:test|testing)\./,
]

// Runs before a test file's own imports: the file gets fresh modules of these rooms, and of all that import them. Others
// and packages stay loaded. `vi.resetModules()` would reset everything, which takes a quarter of the processor time of
// these files; Vitest has no interface for a part.
const { evaluatedModules } =
  (globalThis as { __vitest_worker__?: { evaluatedModules?: { idToModuleMap?: Map<string, ModuleNode> } } })
    .__vitest_worker__ ?? {}
const nodes = evaluatedModules?.idToModuleMap
if (!nodes)
  throw new Error(
    'This version of Vitest keeps its modules elsewhere: see node_modules/vitest for resetModules.',
  )
for (const id of nodes.keys())
  if (id.startsWith(root) && stateful.some((each) => each.test(id.slice(root.length)))) forget(nodes, id)

function forget(nodes: Map<string, ModuleNode>, id: string): void {
  const node = nodes.get(id)
  if (!node?.evaluated && !node?.promise) return
  const importers = [...node.importers]
  node.promise = undefined
  node.exports = undefined
  node.evaluated = false
  node.importers.clear()
  for (const importer of importers) forget(nodes, importer)
}

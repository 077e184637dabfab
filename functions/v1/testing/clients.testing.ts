import Module, { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

// The published client imports "regenerator-runtime" without declaring it; at its time installations had it by chance. It is taken from
// Babel's runtime, and the client itself is unmodified.
const undeclared = 'regenerator-runtime/runtime'
const resolver = Module as unknown as { _resolveFilename(request: string, ...rest: unknown[]): string }
const resolve = resolver._resolveFilename.bind(Module)
resolver._resolveFilename = (request, ...rest) =>
  request === undeclared ? load.resolve('@babel/runtime/regenerator') : resolve(request, ...rest)
Object.assign(globalThis, { regeneratorRuntime: load('@babel/runtime/regenerator') as unknown })

/** The arguments of a client's call: path parameters, body, options, and settings of the request. */
export type Call = Record<string, unknown> & { data?: unknown; options?: Record<string, unknown> }
type ClientMethod = (call?: Call) => Promise<unknown>
/** Methods by the words of their name. */
export interface Client {
  [word: string]: Client | ClientMethod
}
/** An error as both clients throw it. */
export interface ClientError extends Error {
  status: number
  res: { status: number; headers: unknown; body: unknown; text: string }
}
interface Leaf {
  path: string
  method: string
  instance: boolean
}

const { createClient } = load('stae') as { createClient(how: Record<string, unknown>): Client }
const sutro = load('sutro-client') as { default: { default: (map: unknown, how: unknown) => Client } }
/** The endpoint map of the published client. */
const published = load('stae/dist/meta.json') as Record<string, unknown>

/** The published client, unmodified. */
export const stae = (key: string, root: string, more: Record<string, unknown> = {}) =>
  createClient({ key, root, ...more })

/** The newest client of its framework, for a map. */
export const sutroClient = (map: unknown, how: Record<string, unknown>): Client => {
  const sutroModule = sutro.default as unknown as { default?: (map: unknown, how: unknown) => Client }
  const create = sutroModule.default ?? (sutroModule as unknown as (map: unknown, how: unknown) => Client)
  return create(map, how)
}

/** Every method of the published map, by name. */
export function listPublishedMethods(
  map: Record<string, unknown> = published,
  before = '',
): Map<string, Leaf> {
  const methods = new Map<string, Leaf>()
  for (const [word, node] of Object.entries(map)) {
    const leaf = node as Partial<Leaf>
    if (typeof leaf.path === 'string' && typeof leaf.method === 'string')
      methods.set(`${before}${word}`, leaf as Leaf)
    else
      for (const [name, each] of listPublishedMethods(node as Record<string, unknown>, `${before}${word}.`))
        methods.set(name, each)
  }
  return methods
}

/** The method of a client by its name. */
export function getClientMethod(client: Client, name: string): ClientMethod {
  const method = name
    .split('.')
    .reduce<Client | ClientMethod | undefined>((node, word) => (node as Client | undefined)?.[word], client)
  if (typeof method !== 'function') throw new Error(`The client has no ${name}.`)
  return method
}

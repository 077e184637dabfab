import { isEndpoint, type Endpoint, type Tree } from './endpoint.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** An endpoint with what follows from its name. */
export interface Route {
  /** Its path in the tree: `place.source.findById`. */
  name: string
  /** The last part of its name. */
  verb: string
  method: Method
  /** With parameters as `:placeId`; without the base. */
  path: string
  /** Whether it acts on one instance. */
  instance: boolean
  endpoint: Endpoint
}

/** The verbs of every noun. Endpoints with other names declare their method. */
const verbs: Record<string, { method: Method; one: boolean }> = {
  find: { method: 'get', one: false },
  create: { method: 'post', one: false },
  findById: { method: 'get', one: true },
  updateById: { method: 'patch', one: true },
  deleteById: { method: 'delete', one: true },
}

/** Irregular plurals of nouns. */
const plurals: Record<string, string> = {
  boundary: 'boundaries',
  access: 'access',
  activity: 'activities',
  delivery: 'deliveries',
  datum: 'data',
  assets: 'assets',
  sso: 'sso',
  operations: 'operations',
}

/** Names that only group others: no plural, no id. */
const folders = new Set(['core', 'auth'])

/**
 * All endpoints of a tree. Special names come before the standard verbs, so that `/insights/functions` is never taken
 * for an id; nested nouns come last. A name that begins with a dot is a file of one instance: `.svg` of an insight is
 * `/insights/:insightId.svg`.
 */
export function routes(tree: Tree): Route[] {
  return Object.entries(tree).flatMap(([noun, node]) =>
    isEndpoint(node) ? [buildRoute(noun, node, '', ':id', '')] : branch(node, noun, '', ''),
  )
}

function branch(tree: Tree, noun: string, parentPath: string, parentName: string): Route[] {
  const isFolder = folders.has(noun)
  const name = `${parentName}${noun}.`
  const collection = `${parentPath}/${isFolder ? noun : (plurals[noun] ?? `${noun}s`)}`
  const instance = isFolder ? collection : `${collection}/:${noun}Id`
  const entries = Object.entries(tree)
  const own = entries.flatMap(([verb, node]) =>
    isEndpoint(node) ? [buildRoute(verb, node, collection, instance, name)] : [],
  )
  return [
    ...own.filter((route) => !Object.hasOwn(verbs, route.verb)),
    ...own.filter((route) => Object.hasOwn(verbs, route.verb)),
    ...entries.flatMap(([child, node]) => (isEndpoint(node) ? [] : branch(node, child, instance, name))),
  ]
}

function buildRoute(
  verb: string,
  endpoint: Endpoint,
  collection: string,
  instance: string,
  name: string,
): Route {
  const standard = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  const own = verb.replace(/^\./, '')
  const one = standard?.one ?? endpoint.http?.one ?? false
  const base = one ? instance : collection
  return {
    name: `${name}${own}`,
    verb: own,
    method: standard?.method ?? endpoint.http?.method ?? 'post',
    path: standard ? base : own === verb ? `${base}/${verb}` : `${base}${verb}`,
    instance: one,
    endpoint,
  }
}

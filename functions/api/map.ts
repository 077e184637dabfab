import type { Route } from './routes.ts'

interface MapLeaf {
  path: string
  method: string
  instance: boolean
}

interface ApiMap {
  [name: string]: MapLeaf | ApiMap
}

/** The API as a nested object, from which clients are built. Hidden endpoints are left out. */
export function apiMap(all: Route[], base: string): ApiMap {
  const map: ApiMap = {}
  for (const { name, path, method, instance, endpoint } of all) {
    if (endpoint.hidden) continue
    const words = name.split('.')
    const verb = words.pop() as string
    let branch = map
    for (const word of words) branch = (branch[word] ??= {}) as ApiMap
    branch[verb] = { path: `${base}${path}`, method, instance }
  }
  return map
}

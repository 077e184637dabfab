import type { HubState } from '../domain/hubs.ts'
import { searchPath } from './search.ts'

/** Every public path of a hub with the status its page answers, in the order of the spec's route table. */
export function hubPages(hub: HubState): { path: string; status: number }[] {
  const pages = hub.pages.filter((page) => page.type !== 'dashboard')
  const paths = [
    '/',
    ...(hub.hasMap ? ['/map'] : []),
    ...pages.map((page) => `/pages/${page.type}/${page.id}/preview`),
    '/datastories',
    '/domains',
    ...hub.sources
      .filter((source) => source.isPublic && !isHidden(hub.placeId, source.dataTypeId))
      .map((source) => `/domains/${source.dataTypeId}/source/${source.id}`),
    '/about',
  ]
  return [
    ...paths.map((path) => ({ path, status: 200 })),
    { path: searchPath, status: 200 },
    { path: '/error', status: 500 },
    { path: '/404', status: 404 },
  ]
}

/** "For place id "nyc-ny", data types with id issue or tree are removed." Only from the hub: programs still get them. */
export function isHidden(placeId: string, dataTypeId: string): boolean {
  return placeId === 'nyc-ny' && (dataTypeId === 'issue' || dataTypeId === 'tree')
}

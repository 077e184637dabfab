import { account, ask, callAs, hubs } from './ask.ts'

/**
 * The roles of the table, from the least to the most privileged; support staff before and after giving a
 * reason to open the place. A person with an unconfirmed address cannot sign in, and so is signed out.
 */
export const roles = [
  'signed_out',
  'none',
  'no_role',
  'viewer',
  'member',
  'content_admin',
  'organization_admin',
  'support',
  'support_with_reason',
  'super_admin',
  'super_admin_with_reason',
] as const
type Role = (typeof roles)[number]

/** The routes of the workspace in the order of the specification; parameters as `{name}`. */
export const mainRoutes = `
/
/export/tableau
/export/powerbi
/export/esri
/export/google_sheets
/explore
/core_api
/api
/account
/organization/new
/organization/closed
/organization/archive
/hello
/admin
/admin/people
/admin/requests
/admin/internals
/home
/activity
/error-reports
/error-reports/{errorReportId}
/boundaries
/boundaries/create
/boundaries/{boundarySetId}
/boundaries/everyone/{builtInSetId}
/map
/collections
/collections/create
/collections/inventory
/collections/{collectionId}
/collections/{collectionId}/modify
/collections/{collectionId}/insights/{insightId}
/collections/{collectionId}/text/create
/collections/{collectionId}/text/{textId}
/pages
/pages/blank/{blankId}
/pages/blank/{blankId}/modify
/pages/blank/{blankId}/preview
/pages/dashboard/{dashboardId}
/pages/dashboard/{dashboardId}/modify
/pages/dashboard/{dashboardId}/preview
/pages/storytelling/{storyId}
/pages/storytelling/{storyId}/modify
/pages/storytelling/{storyId}/preview
/types/create
/types/catalog
/types/{dataTypeId}
/types/{dataTypeId}/observers
/types/{dataTypeId}/observers/create
/types/{dataTypeId}/observers/{observerId}
/types/{dataTypeId}/observers/{observerId}/modify
/types/{dataTypeId}/export
/types/{dataTypeId}/modify
/insights/create
/insights/reference
/insights/{insightId}
/insights/{insightId}/sharing
/insights/{insightId}/modify
/team
/org/manage
/org/manage/hub
/org/manage/fields
/org/manage/sign-in
/org/manage/close
/org/manage/archive
/org/manage/imported
/hub/usage
/translations
/tags
/find
/many/insights
/duplicate/insights/{insightId}
/sources
/sources/create
/sources/describe
/sources/community
/sources/{sourceId}
/sources/{sourceId}/map
/sources/{sourceId}/fields
/sources/{sourceId}/importers
/sources/{sourceId}/settings
/sources/{sourceId}/export
/sources/{sourceId}/importers/create
/sources/{sourceId}/importers/{importerId}
/sources/{sourceId}/importers/{importerId}/modify
/sources/{sourceId}/importers/{importerId}/{jobId}
/media-library
/media-library?file={fileId}
/login
/login/second-step
/login/device
/account/second-factor
/account/prove
/access
/account/email
/account/undo-email
/signup
/forgot_password
/reset_password
/logout
/invite/{inviteId}
/confirmation
/rolesOperations
/rolesOperations/role/create
/rolesOperations/{roleId}
/rolesOperations/{roleId}/modify
/error
/no-such-page-anywhere`
  .trim()
  .split('\n')

/** Screens for signed-out people: signed-in ones are redirected. */
export const outside = [
  '/login',
  '/login/second-step',
  '/login/device',
  '/signup',
  '/forgot_password',
  '/reset_password',
  '/confirmation',
]

const placeId = 'seattle-wa'

/** Returns values for route parameters: from the demo, or created here when the demo has none. */
export async function plantParameters(): Promise<Record<string, string>> {
  const parameters = {
    dataTypeId: 'daily-weather',
    sourceId: 'seattle-weather',
    insightId: 'seattle-temperature',
    collectionId: 'seattle-weather-figures',
    textId: 'seattle-weather-reading',
    blankId: 'seattle-records',
    dashboardId: 'seattle-dashboard',
    storyId: 'seattle-rain',
    roleId: 'member',
  }
  // Other walks rename and hide pages: this restores the demo's state.
  await send('PATCH', `/v1/places/${placeId}/pages/${parameters.storyId}`, {
    title: 'Does it really rain that much in Seattle?',
  })
  await send('PATCH', `/v1/places/${placeId}/pages/${parameters.blankId}`, { publish: 'published' })
  const observer = await post(`/v1/places/${placeId}/observers`, {
    ...{ name: 'Heavy rain', dataTypeId: parameters.dataTypeId, enabled: false, schedule: 'onData' },
    condition: { aggregation: { function: 'count' }, operator: 'gt', value: 100_000 },
    ...{ cooldown: 'PT1H', channels: [], recipients: [] },
  })
  const importer = await post(`/v1/sources/${parameters.sourceId}/importers`, {
    name: 'Weather of the airport',
    sources: [{ url: 'https://data.example.org/weather.csv', parser: 'csv' }],
    mapping: {},
  })
  const job = await post(`/v1/sources/${parameters.sourceId}/importers/${importer.id}/run`, {})
  const ring = [
    [-122.4, 47.5],
    [-122.2, 47.5],
    [-122.2, 47.7],
    [-122.4, 47.7],
    [-122.4, 47.5],
  ]
  const geometry = { type: 'Polygon', coordinates: [ring] }
  const boundarySet = await post(`/v1/places/${placeId}/boundarySets`, {
    ...{ name: 'City limits', visibility: 'public' },
    geojson: { type: 'Feature', properties: { name: 'Seattle' }, geometry },
  })
  // An address can be invited once, but several walks need an invitation.
  const email = `walk-${crypto.randomUUID()}@demo.example`
  const invite = await post(`/v1/places/${placeId}/invites`, { email, role: 'viewer' })
  return {
    ...parameters,
    observerId: String(observer.id),
    importerId: String(importer.id),
    jobId: String(job.jobId ?? job.id),
    inviteId: String(invite.id),
    boundarySetId: String(boundarySet.id),
    builtInSetId: 'regions-de',
    fileId: await fileOfLibrary(),
    errorReportId: await reportError(`/domains/${parameters.dataTypeId}/source/${parameters.sourceId}`),
  }
}

const send = <Result = Record<string, unknown>>(method: string, path: string, data?: unknown) =>
  callAs<Result>('organization_admin', method, path, data)
const post = (path: string, data: unknown) => send('POST', path, data)

/** The id of a file of the library. */
async function fileOfLibrary(): Promise<string> {
  const { results } = await send<ListedRows>('GET', `/v1/assets/${placeId}/files?limit=1`)
  if (!results[0]) throw new Error('The library has no file.')
  return results[0].id
}

/** Reports an error of a source as a reader of its hub does, and returns the id of the report. */
async function reportError(source: string): Promise<string> {
  const text = `A value is wrong: ${crypto.randomUUID()}`
  const { host } = hubs.seattle
  const path = `${source}/report`
  const form = /name="form" value="([^"]+)"/.exec((await ask(path, { host })).text)?.[1] ?? ''
  // Forms sent faster than anyone can read are rejected.
  await new Promise((resolve) => setTimeout(resolve, 2100))
  const answer = await ask(path, {
    host,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'cf-connecting-ip': '203.0.113.24' },
    body: new URLSearchParams({ text, email: '', form }).toString(),
  })
  if (answer.status !== 200) throw new Error(`The report was answered with ${answer.status}.`)
  const { results } = await send<ListedRows>('GET', `/v1/places/${placeId}/errorReports?limit=200`)
  const report = results.find((each) => each.text === text)
  if (!report) throw new Error('The report is not listed.')
  return report.id
}

interface ListedRows {
  results: { id: string; text?: string }[]
}

/** Returns the cookies of a fresh sign-in with a role that works in the place; empty when signed out. */
export async function createRoleCookies(role: Role): Promise<string> {
  if (role === 'signed_out') return ''
  const cookies = await cookiesFor(account(role.replace('_with_reason', '')))
  // Roles that may work in every place choose this one.
  const cookie = isOfPlaces.has(role) ? `${cookies}; place=${placeId}` : cookies
  if (role.endsWith('_with_reason')) await submitReason(cookie)
  return cookie
}

const isOfPlaces: ReadonlySet<Role> = new Set<Role>([
  'support',
  'support_with_reason',
  'super_admin',
  'super_admin_with_reason',
])

async function submitReason(cookie: string): Promise<void> {
  const answer = await ask(`/v1/places/${placeId}/access`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ reason: 'A walk through every screen' }),
  })
  if (answer.status !== 201) throw new Error(`The place was not opened: ${answer.status} ${answer.text}`)
}

/**
 * Signs in with these credentials at the Worker of a port (by default the shared one) and returns the
 * cookies.
 */
export async function cookiesFor(
  { email, password }: { email: string; password: string },
  port?: number,
): Promise<string> {
  const answer = await ask('/v1/core/auth/login', {
    ...(port === undefined ? {} : { port }),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ email, password }),
  })
  if (answer.status >= 300) throw new Error(`${email} could not sign in: ${answer.status} ${answer.text}`)
  const set = [answer.headers['set-cookie'] ?? []].flat()
  return set.map((cookie) => cookie.split(';')[0] ?? '').join('; ')
}

/** Replaces the parameters of a route by values. */
export function fillRoute(route: string, parameters: Record<string, string>): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`Nothing is known to stand for {${name}}.`)
    return encodeURIComponent(value)
  })
}

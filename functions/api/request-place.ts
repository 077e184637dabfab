import type { Site } from '#functions/context.ts'

/**
 * The first path segments of resources that belong to no place: people, roles, data types, and lists over all places.
 * They are served from the home database, whichever the active place.
 */
const atHome = new Set([
  ...[
    'core',
    'places',
    'users',
    'roles',
    'operations',
    'dataTypes',
    'invites',
    'placeRequests',
    'internals',
    'boundaries',
    'sessions',
  ],
  ...['openapi.json', 'swagger', 'login', 'signup', 'forgot_password', 'reset_password', 'confirmation'],
  ...[
    'logout',
    'hello',
    'organization',
    'invite',
    'switch',
    'account',
    'access',
    'explore',
    'api',
    'core_api',
    'types',
    'admin',
    'rolesOperations',
  ],
])

/** Members of a place, its sign-in, and the accesses of support staff are stored with the accounts of people. */
const peopleOfPlace = new Set([
  ...['users', 'invites', 'joinRequests', 'access', 'sso', 'saveSso', 'removeSso', 'mailDomains'],
])

/** Screens of resources in the home database. */
const homeScreens = new Set(['/team', '/org/manage/sign-in'])

/**
 * The place whose database serves a request: that of the hub's host, or that in the path, or else the active place
 * (`working`). Null for the home database.
 */
export function findRequestPlace(request: Request, site: Site, working: string | null): string | null {
  // Navigation within the workspace requests the screen's URL with `.data` appended.
  const path = new URL(request.url).pathname.replace(/\.data$/, '')
  if (homeScreens.has(path)) return null
  const [first = '', ...rest] = path.split('/').slice(1)
  const [noun = '', id, below = ''] = first === 'v1' ? rest : [first]
  if (noun === 'places' && id) return peopleOfPlace.has(below) ? null : id
  if (noun === 'assets' && id) return id
  if (site.mode === 'hub') return site.placeId
  return atHome.has(noun) ? null : working
}

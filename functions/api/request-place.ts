import type { Site } from '#functions/context.ts'

/**
 * The first names of paths of what is no place's own: people, roles, data types, and lists over all places. They are
 * answered from the home database, whichever place one works in.
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

/** Who belongs to a place, how they sign in, and who of support staff opened it, is kept with the accounts of people. */
const peopleOfPlace = new Set([
  ...['users', 'invites', 'joinRequests', 'access', 'sso', 'saveSso', 'removeSso', 'mailDomains'],
])

/** Screens of what is kept there. */
const homeScreens = new Set(['/team', '/org/manage/sign-in'])

/**
 * The place whose database answers a request: that of the host of a hub, that which the path names, else the one the
 * person works in (`working`). Null: none, which is the home database.
 */
export function homeOf(request: Request, site: Site, working: string | null): string | null {
  // What a screen asks when it is gone to within the workspace has the screen's address with an end of its own.
  const path = new URL(request.url).pathname.replace(/\.data$/, '')
  if (homeScreens.has(path)) return null
  const [first = '', ...rest] = path.split('/').slice(1)
  const [noun = '', id, below = ''] = first === 'v1' ? rest : [first]
  if (noun === 'places' && id) return peopleOfPlace.has(below) ? null : id
  if (noun === 'assets' && id) return id
  if (site.mode === 'hub') return site.placeId
  return atHome.has(noun) ? null : working
}

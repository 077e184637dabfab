/** Where databases are: the home database, others by name, and which place lives in which. */
export interface DirectoryEnv {
  /** The home database. */
  DATABASE_URL: string
  /** host:port of its local proxy in development and tests; absent with Neon. */
  DB_PROXY?: string
  /** JSON: the name of another database -> its connection string. */
  DATABASES?: string
  /** JSON: the id of a place -> the name of the database it lives in. A place that is not named lives at home. */
  PLACE_DATABASES?: string
}

/** The database of a place has no connection string, or a setting cannot be parsed. */
export class UnknownDatabaseError extends Error {}

/** `null` is the home database. */
type DatabaseName = string | null

interface Directory {
  urls: ReadonlyMap<string, string>
  places: ReadonlyMap<string, string>
}

/** Settings do not change during the life of an isolate, so they are parsed once. */
let cachedDirectory: { databases: string; places: string; directory: Directory } | null = null

function getDirectory({ DATABASES = '', PLACE_DATABASES = '' }: DirectoryEnv): Directory {
  if (cachedDirectory?.databases === DATABASES && cachedDirectory.places === PLACE_DATABASES)
    return cachedDirectory.directory
  const directory = { urls: pairs('DATABASES', DATABASES), places: pairs('PLACE_DATABASES', PLACE_DATABASES) }
  cachedDirectory = { databases: DATABASES, places: PLACE_DATABASES, directory }
  return directory
}

function pairs(name: string, text: string): Map<string, string> {
  if (text === '') return new Map()
  const wrong = () =>
    new UnknownDatabaseError(`The setting ${name} is not an object of texts, written as JSON.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong()
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong()
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    if (typeof each !== 'string') throw wrong()
    return [key, each] as const
  })
  return new Map(entries)
}

/** The database that a place lives in; null for home, also without a place. */
export function getDatabaseName(env: DirectoryEnv, placeId: string | null): DatabaseName {
  return placeId === null ? null : (getDirectory(env).places.get(placeId) ?? null)
}

/** Every database, home first. */
export function databases(env: DirectoryEnv): DatabaseName[] {
  return [null, ...getDirectory(env).urls.keys()]
}

/** The places that live in another database than home, with its name. */
export function placesElsewhere(env: DirectoryEnv): [placeId: string, database: string][] {
  return [...getDirectory(env).places]
}

/** The settings with one database as home. Throws `UnknownDatabaseError` for a name without a connection string. */
export function withHomeDatabase<Env extends DirectoryEnv>(env: Env, database: DatabaseName): Env {
  if (database === null) return env
  const url = getDirectory(env).urls.get(database)
  if (url === undefined)
    throw new UnknownDatabaseError(`The database "${database}", where this place lives, is not configured.`)
  return { ...env, DATABASE_URL: url, DB_PROXY: undefined, DATABASES: undefined, PLACE_DATABASES: undefined }
}

import * as v from 'valibot'
import type { AuthSecrets } from './platform/auth-secrets.ts'
import { build } from './platform/build.ts'
import type { Settings } from './context.ts'

/** The Worker's bindings, as wrangler.toml names them. Secrets come as strings beside the vars. */
export interface Env {
  ASSETS: Fetcher
  FILES: R2Bucket
  TILES: R2Bucket
  HUBS: R2Bucket
  QUEUE: Queue
  /** For runs of importers: what they do takes long, and nothing else waits for it. */
  JOBS: Queue
  DATABASE_URL: string
  DB_PROXY?: string
  /** Databases beside this one, and which places live there: see db/directory.ts. */
  DATABASES?: string
  PLACE_DATABASES?: string
  ENVIRONMENT: string
  APP_HOST: string
  PUBLIC_HOST: string
  SCHEME: string
  AUTH_SECRET: string
  /** The one before, while it is being replaced: what was made with it is still taken. */
  AUTH_SECRET_PREVIOUS?: string
  MAIL_FROM: string
  /** `optional`: super admins need no second factor. Only where SCHEME is http: for work on one machine. */
  SECOND_FACTOR?: string
  SUPPORT_URL: string
  /** Where to report a weakness (security.txt): mailto: or https:; without it the support's address. */
  SECURITY_CONTACT?: string
  /** Seconds for which browsers insist on https; without it 300. */
  HSTS_SECONDS?: string
  /** Bytes of kept answers in an isolate's memory; without it 32 MB. `0`: none, for measuring what lies behind it. */
  ANSWER_MEMORY?: string
  /** DNS over HTTPS that answers in JSON; without one, Cloudflare's. */
  DNS_RESOLVER?: string
  MAIL_ENDPOINT?: string
  /** `anonymous=60,key=600,heavy=30`: asks a minute. Empty: no limits, as for work and measuring on one machine. */
  RATE_LIMITS?: string
  RATE_ANONYMOUS?: RateLimit
  RATE_KEY?: RateLimit
  RATE_HEAVY?: RateLimit
  MAIL_TOKEN?: string
  /** Keys of the bucket FILES for uploads that go past the Worker: all four or none. */
  R2_ENDPOINT?: string
  R2_ACCESS_KEY_ID?: string
  R2_SECRET_ACCESS_KEY?: string
  R2_BUCKET?: string
  /** Where custom hostnames of organizations are let in: the zone, and a token that may edit its certificates. Both or none. */
  CLOUDFLARE_ZONE_ID?: string
  CLOUDFLARE_API_TOKEN?: string
  /**
   * `asked=50,records=50000,most=8,days=30`: a field asked for so often in seven days, of a data type of so many records,
   * gets an index; so many at most in a table; not asked for in so many days, it goes.
   */
  FIELD_INDEXES?: string
  /** `anonymous=40,key=160,staff=400`: the most that one question may cost, in millions of steps. */
  QUESTION_STEPS?: string
  /** How many importers a place has at most; without it 200. */
  IMPORTERS_PER_PLACE?: string
  /** Who may make an organization: `anyone`, `approval`, `invitation` (as without it) or `domain:city.org,county.org`. */
  ORGANIZATIONS?: string
  /** The archive in TILES that maps stand on, by the hash in its name; without it the one that `npm run tiles` makes. */
  BASEMAP?: string
}

const authSecretShape = {
  AUTH_SECRET: v.pipe(v.string(), v.minLength(32)),
  AUTH_SECRET_PREVIOUS: v.optional(v.pipe(v.string(), v.minLength(32))),
}

const shape = v.object({
  ENVIRONMENT: v.picklist(['development', 'test', 'production']),
  APP_HOST: v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d+)?$/)),
  PUBLIC_HOST: v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d+)?$/)),
  SCHEME: v.picklist(['http', 'https']),
  ...authSecretShape,
  MAIL_FROM: v.string(),
  SECOND_FACTOR: v.optional(v.picklist(['required', 'optional']), 'required'),
  SUPPORT_URL: v.pipe(v.string(), v.url()),
  SECURITY_CONTACT: v.optional(v.pipe(v.string(), v.regex(/^(mailto:|https:\/\/)\S+$/))),
  HSTS_SECONDS: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)), '300'),
  DNS_RESOLVER: v.optional(v.pipe(v.string(), v.url()), 'https://cloudflare-dns.com/dns-query'),
  DATABASE_URL: v.pipe(v.string(), v.startsWith('postgres')),
  IMPORTERS_PER_PLACE: v.optional(v.pipe(v.string(), v.regex(/^\d{1,6}$/))),
  BASEMAP: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{12}$/))),
  ORGANIZATIONS: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(anyone|approval|invitation|domain:[a-z0-9-]+(\.[a-z0-9-]+)+(,[a-z0-9-]+(\.[a-z0-9-]+)+)*)?$/,
      ),
    ),
  ),
})

/** By the environment they were read from: an isolate has one, and asks at each request. */
const cache = new WeakMap<Env, Settings>()

/** The environment, checked. Throws a sentence that names the variable that is wrong. */
export function getSettings(env: Env): Settings {
  const settings = cache.get(env) ?? settingsIn(env)
  cache.set(env, settings)
  return settings
}

function settingsIn(env: Env): Settings {
  const output = parse(shape, env)
  const { ENVIRONMENT, APP_HOST, PUBLIC_HOST, SCHEME } = output
  const { MAIL_FROM, SUPPORT_URL, SECURITY_CONTACT, HSTS_SECONDS } = output
  const { DNS_RESOLVER, IMPORTERS_PER_PLACE, SECOND_FACTOR, BASEMAP } = output
  if (SECOND_FACTOR === 'optional' && SCHEME === 'https')
    throw new Error(
      "The Worker's environment is wrong: SECOND_FACTOR=optional is refused where SCHEME is https.",
    )
  return {
    environment: ENVIRONMENT,
    appHost: APP_HOST,
    publicHost: PUBLIC_HOST,
    scheme: SCHEME,
    ...authSecretsIn(output),
    mailFrom: MAIL_FROM,
    supportUrl: SUPPORT_URL,
    securityContact: SECURITY_CONTACT ?? SUPPORT_URL,
    hstsSeconds: HSTS_SECONDS,
    dnsResolver: DNS_RESOLVER,
    ...(build === null ? {} : { build }),
    ...(SECOND_FACTOR === 'optional' ? { secondFactor: SECOND_FACTOR } : {}),
    ...getR2Settings(env),
    ...getCloudflareSettings(env),
    ...parseIndexes(env.FIELD_INDEXES),
    ...parseQuestionSteps(env.QUESTION_STEPS),
    ...(IMPORTERS_PER_PLACE === undefined ? {} : { importersPerPlace: Number(IMPORTERS_PER_PLACE) }),
    ...(BASEMAP === undefined ? {} : { basemap: BASEMAP }),
    ...parseOrganizations(output.ORGANIZATIONS),
  }
}

/** Who may make an organization; nothing where it is not set: then those do whom someone with every right invites. */
function parseOrganizations(text = ''): Pick<Settings, 'organizations'> {
  if (text === '') return {}
  const [by, domains = ''] = text.split(':') as [NonNullable<Settings['organizations']>['by'], string?]
  return { organizations: { by, domains: domains === '' ? [] : domains.split(',') } }
}

/** The secrets of an environment, checked as the Worker does. Throws a sentence that names the variable that is wrong. */
export function parseAuthSecrets(env: object): AuthSecrets {
  return authSecretsIn(parse(v.object(authSecretShape), env))
}

function authSecretsIn({
  AUTH_SECRET: authSecret,
  AUTH_SECRET_PREVIOUS: previous,
}: v.InferOutput<v.ObjectSchema<typeof authSecretShape, undefined>>): AuthSecrets {
  if (previous === undefined) return { authSecret }
  if (previous === authSecret)
    throw new Error("The Worker's environment is wrong: AUTH_SECRET and AUTH_SECRET_PREVIOUS are the same.")
  return { authSecret, previousAuthSecret: previous }
}

function parse<Shape extends v.GenericSchema>(schema: Shape, env: object): v.InferOutput<Shape> {
  const result = v.safeParse(schema, env)
  if (result.success) return result.output
  const names = [...new Set(result.issues.map((issue) => v.getDotPath(issue)))]
  throw new Error(`The Worker's environment is incomplete or wrong: ${names.join(', ')}.`)
}

/** Throws when it is not four whole numbers by their names. */
function parseIndexes(text = ''): Pick<Settings, 'indexes'> {
  if (text === '') return {}
  const value = Object.fromEntries(text.split(',').map((part) => part.split('=')))
  const { asked: question, records, most, days, ...rest } = value as Record<string, string | undefined>
  const numbers = [question, records, most, days].map((number) => Number(number || NaN))
  const [a, r, m, d] = numbers
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0) || Object.keys(rest).length > 0)
    throw new Error(
      "The Worker's environment is wrong: FIELD_INDEXES is to look like asked=50,records=50000,most=8,days=30.",
    )
  return { indexes: { asked: a ?? 0, records: r ?? 0, most: m ?? 0, days: d ?? 0 } }
}

/** Reads `QUESTION_STEPS`; nothing where it is not set. Throws when it is not three numbers by their names. */
export function parseQuestionSteps(text = ''): Pick<Settings, 'questionSteps'> {
  if (text === '') return {}
  const match = Object.fromEntries(text.split(',').map((part) => part.split('='))) as Record<string, string>
  const [anonymous = NaN, key = NaN, staff = NaN] = ['anonymous', 'key', 'staff'].map(
    (name) => Number(match[name] || NaN) * 1_000_000,
  )
  if (![anonymous, key, staff].every((number) => number > 0) || Object.keys(match).length !== 3)
    throw new Error(
      "The Worker's environment is wrong: QUESTION_STEPS is to look like anonymous=40,key=160,staff=400.",
    )
  return { questionSteps: { anonymous, key, staff } }
}

/** Who lets custom hostnames in. Throws when only one of the two is there. */
function getCloudflareSettings({
  CLOUDFLARE_ZONE_ID: zoneId,
  CLOUDFLARE_API_TOKEN: token,
}: Env): Pick<Settings, 'cloudflare'> {
  if (!zoneId && !token) return {}
  if (!zoneId || !token)
    throw new Error(
      "The Worker's environment is incomplete: CLOUDFLARE_ZONE_ID and CLOUDFLARE_API_TOKEN belong together.",
    )
  return { cloudflare: { zoneId, token } }
}

/** The bucket's own keys. Throws when only some of them are there. */
function getR2Settings(env: Env): Pick<Settings, 'r2'> {
  const { R2_ENDPOINT, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY, R2_BUCKET } = env
  if (!R2_ENDPOINT && !R2_ACCESS_KEY_ID && !R2_SECRET_ACCESS_KEY && !R2_BUCKET) return {}
  if (!R2_ENDPOINT || !R2_ACCESS_KEY_ID || !R2_SECRET_ACCESS_KEY || !R2_BUCKET)
    throw new Error(
      "The Worker's environment is incomplete: R2_ENDPOINT, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY and R2_BUCKET belong together.",
    )
  const endpoint = R2_ENDPOINT.replace(/\/+$/, '')
  return {
    r2: { endpoint, accessKeyId: R2_ACCESS_KEY_ID, secretAccessKey: R2_SECRET_ACCESS_KEY, bucket: R2_BUCKET },
  }
}

import type { Db, Tx, MailKind } from '#db/schema.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { Memo } from '#functions/platform/cache/memo.ts'
import type { Hosts } from '#functions/platform/hosts/port.ts'
import type { KeyScope } from '#functions/shapes/key-scope.ts'
import type { HubLanguages, Locale } from '#functions/shapes/locale.ts'
import type { OrganizationsBy } from '#functions/shapes/place-request.ts'

/** A person's membership of a place. `role` null: a member without a role. */
export interface Membership {
  placeId: string
  role: string | null
}

/** A place that someone of support staff has opened with a reason, and until when it is open to them. */
export interface OpenPlace {
  placeId: string
  until: Date
}

/** The identity behind a request. A request without credentials has the kind `anonymous`: an actor is never missing. */
export interface Actor {
  kind: 'anonymous' | 'user' | 'sourceKey' | 'system'
  /** Null for anonymous, source keys and the system. */
  user: {
    id: string
    email: string
    name: string
    image: string | null
    verified: boolean
    welcomed: boolean
    /** super_admin, support or null. */
    role: string | null
  } | null
  memberships: Membership[]
  /** The session the cookie named; null for keys. */
  session: {
    id: string
    token: string
    expiresAt: Date
    /** The place whose single sign-on provider opened the session, which then reaches only that place. Null: the person's own sign-in. */
    ssoPlaceId: string | null
    /** When the person last re-authenticated in this session; null: not since it began. */
    provedAt: Date | null
  } | null
  /**
   * Set for a super admin without a second factor: only enrolment is allowed, and `globalRole` and memberships are left out. Absent
   * for everyone else.
   */
  mustEnrol?: true
  /** Places that support staff opened in this session by giving a reason. Absent for everyone who needs no reason. */
  opened?: readonly OpenPlace[]
  /** The API key of the request and the scopes that limit it; absent for sessions and anonymous requests. */
  key?: { id: string; scope: KeyScope }
  /** The pending invitations of the signed-in person to places they do not belong to, the newest first; absent without any. */
  invites?: readonly { id: string; placeName: string }[]
  /** Only for source write keys: the one source it may write, and that source's place. */
  source: { id: string; placeId: string } | null
}

export const anonymous: Actor = {
  kind: 'anonymous',
  user: null,
  memberships: [],
  session: null,
  source: null,
}

/** The product's own identity: seeding, queue consumers, the writer of prerendered pages. Never derived from a request. */
export const system: Actor = { ...anonymous, kind: 'system' }

/** The place that a hostname belongs to. */
export type Site = { mode: 'main'; host: string; origin: string } | HubSite

/** A hub and the language of the requested page, one of the hub's languages. */
export interface HubSite {
  mode: 'hub'
  host: string
  origin: string
  placeId: string
  canonicalHost: string
  locale: Locale
  languages: HubLanguages
}

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Beside to and subject, by name. */
  headers?: Record<string, string>
  /**
   * What its token opens: of which person or invitation, or what the link that stops alerts stops. Its text has a mark for the
   * token, which is made when the email is sent. Without it the email has none.
   */
  about?: { kind: Exclude<MailKind, 'notice'>; subjectId: string; until?: Date }
}

/** A message of the queue. It carries no authority and no data: the consumer reads the outbox. */
export interface Message {
  v: 1
  /**
   * 'outbox': the outbox has undelivered events. 'hub': render this hub again, completely. 'exports': check whether prepared files
   * of sources are stale. 'jobs': a run of an importer, or a move of sources to another data type, is waiting. 'observers':
   * observers are due, or webhooks have to be called. 'builds': hubs may have pages of an older build, which are rendered
   * again.
   */
  kind: 'outbox' | 'hub' | 'exports' | 'jobs' | 'observers' | 'builds'
  placeId?: string
  /** Sources whose files may be stale, by id. */
  sources?: string[]
}

/** Rate limits: of anonymous clients, of a key or a user, and of either for expensive queries. */
export type LimitName = 'anonymous' | 'key' | 'heavy'

export interface Limiter {
  /** How many a minute. */
  rates: Record<LimitName, number>
  /** Counts one request; false where the limit is exceeded. */
  consumeToken(name: LimitName, who: string): Promise<boolean>
}

/** A query that failed while a page was rendered. */
export interface PageFailure {
  /** As a `Failure` has it. */
  kind: string
  /** The insight that was asked, where it was one. */
  insightId: string | null
}

/**
 * The dependencies of a domain function. Clock, files, queue, mail and outgoing requests are injected here,
 * so that tests can replace them.
 */
export interface Context {
  /** For single statements: each runs under the actor's row-level security. Inside a transaction use only `tx`. */
  db: Db
  /** Runs several statements in one transaction. It is rolled back when the callback throws, and the error is rethrown. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Database access to the accounts, sessions, keys, memberships and sign-in attempts of everyone: only for
   * `functions/domain/identity`, which needs them before the actor is known, and for ending the sessions of someone else.
   */
  accounts: Pick<Context, 'db' | 'transaction'>
  actor: Actor
  site: Site
  /** The place the person works in (main mode) or the hub's place; null for a personal account. */
  placeId: string | null
  now(): Date
  /** Waits that many milliseconds, where a response must not be faster; absent: with a timer. */
  sleep?(ms: number): Promise<void>
  files: R2Bucket
  tiles: R2Bucket
  hubs: R2Bucket
  /** The service that registers custom hostnames and their certificates; null where that is done outside of the product. */
  hosts: Hosts | null
  /**
   * Sends a message to the queue: the outbox has new events, or runs, observers or hubs are waiting; with a delay in
   * seconds, if given. A lost message is made up for by cron.
   */
  wake(kind?: 'outbox' | 'jobs' | 'observers' | 'builds', delaySeconds?: number): void
  sendMail(mail: Mail): Promise<void>
  fetch: typeof fetch
  /** Reports unexpected errors, with the request's id. A no-op in development and tests. */
  report(error: unknown, about: Record<string, string>): void
  /** Analytics. A no-op in development, in tests and while pages are rendered for hubs. */
  track(event: string, about: Record<string, string>): void
  /** Dependency tags of the answer ('page:{id}', 'source:{id}', 'pages:{placeId}' …), which the prerender stores with each page. */
  depends: Set<string>
  /**
   * Memoised results of queries. Set while pages are rendered in every language, so that all of them show
   * the same data. Without it every query is run.
   */
  memo?: Memo
  /**
   * Declares the versions of the data behind an answer before it is made. A client that has the answer of these versions gets 304 at
   * once, and no data are read. Keys are `source:{id}`, `dataType:{id}` and `insight:{id}` with integers that only grow, and
   * `timeZone`. `isOfNow`: the answer also depends on the present time, so equal versions do not mean an equal answer.
   */
  basis(versions: Record<string, number | string>, isOfNow?: boolean): Promise<void>
  /** Rate limits; null without any. */
  limits: Limiter | null
  /**
   * Keeps a file that the answer refers to (chart data, map data, drawings) and gives its address on this host. `of`: the id of
   * what it shows, for a file that the page needs to be whole; who has the page of just now is then still given it.
   */
  attach(type: string, body: string, of?: string): Promise<string>
  /** The files that the answer has attached so far, by name. */
  attachments: ReadonlyMap<string, { type: string; body: string }>
  /** Collects failed queries while pages are rendered to be stored; absent elsewhere. */
  failures?: PageFailure[]
  /** What identity needs of the request: request headers (cookie, user agent) and response headers (set-cookie). */
  request: { id: string; headers: Headers; ip: string | null }
  responseHeaders: Headers
  /** The status of what goes well, where the endpoint decides it; null: the verb's own, 201 for `create`, else 200. */
  responded: { status: number | null }
  /** What the request was about, for usage statistics of each place; nothing about the actor. */
  about: { placeId: string | null; dataTypeId: string | null; isExport: boolean }
  settings: Settings
}

/** The environment, parsed once. */
export interface Settings extends AuthSecrets {
  environment: 'development' | 'test' | 'production'
  appHost: string
  publicHost: string
  /** http or https. */
  scheme: string
  mailFrom: string
  /** Where names are looked up: DNS over HTTPS that answers in JSON. */
  dnsResolver: string
  /** The version of the code that runs; without it the code was not built, as while one edits it. */
  build?: string
  /** Where the help menu leads; no trailing slash. */
  supportUrl: string
  /** Where to report a weakness: an address with its scheme, mailto: or https:. */
  securityContact: string
  /** Seconds for which browsers insist on https for the product's own hosts, where it is served so. */
  hstsSeconds: number
  /** The most steps that a question may take (`functions/engine/query/cost.ts`), by who asks; without it as `budgets` of functions/domain/dataset/budget.ts says. */
  questionSteps?: { anonymous: number; key: number; staff: number }
  /** When a field of records gets its own index; without it as `indexLimits` in functions/domain/dataset/indexes.ts says. */
  indexes?: { asked: number; records: number; most: number; days: number }
  /** How many importers a place has at most; without it 200. */
  importersPerPlace?: number
  /** Who may make an organization (`domains`: of mail addresses, for `domain`); without it only super admins, who invite people into it. */
  organizations?: { by: OrganizationsBy; domains: string[] }
  /** The hash of the archive of tiles that maps stand on; without it the one that was made here. */
  basemap?: string
  /** 'optional': super admins need no second factor, as on one's own machine. Without it they do. */
  secondFactor?: 'optional'
  /** The service that registers custom hostnames; without it none (production), or a local stand-in. */
  cloudflare?: { zoneId: string; token: string }
  /** Credentials that sign direct uploads to the bucket; without them uploads go through the Worker. */
  r2?: { endpoint: string; accessKeyId: string; secretAccessKey: string; bucket: string }
}

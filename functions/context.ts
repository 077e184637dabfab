import type { Db, Tx, MailKind } from '#db/schema.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { Memo } from '#functions/platform/cache/memo.ts'
import type { Hosts } from '#functions/platform/hosts/port.ts'
import type { KeyScope } from '#functions/shapes/keyScope.ts'
import type { HubLanguages, Locale } from '#functions/shapes/locale.ts'
import type { OrganizationsBy } from '#functions/shapes/placeRequest.ts'

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

/** Who sends the request. Nobody in particular is the kind `anonymous`: an actor is never missing. */
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
    /** The place whose provider opened it: it opens that place and nothing else. Null: the person's own sign-in. */
    ssoPlaceId: string | null
    /** When the person last proved here that it is them; null: not since the session began. */
    provedAt: Date | null
  } | null
  /**
   * A super admin without a second factor: nothing but enrolment is reached, and neither role nor places are carried. Absent
   * for everyone else.
   */
  mustEnrol?: true
  /** Places that are open to the session with a reason. Absent: none, as for everyone who needs no reason. */
  opened?: readonly OpenPlace[]
  /** The key that was sent, and what it opens at most; without one the actor came by a session, or is nobody. */
  key?: { id: string; scope: KeyScope }
  /** The newest invitation that waits for who is signed in, to a place they are not in. */
  invite?: { id: string; placeName: string }
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

/** The product itself: seeding, queue consumers, the prerender's writer. Never made from a request. */
export const system: Actor = { ...anonymous, kind: 'system' }

/** Which place a host means. */
export type Site = { mode: 'main'; host: string; origin: string } | HubSite

/** A hub, and the language that its page is read in, one of those that it speaks. */
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
   * 'outbox': something is to be told. 'hub': make this hub again, whole. 'exports': look whether files of sources are
   * stale. 'jobs': there is a run of an importer, or a move of sources to another data type, to be worked on. 'observers':
   * there are observers to be looked at, or webhooks to be called. 'builds': hubs may have pages of another build, which are
   * made again.
   */
  kind: 'outbox' | 'hub' | 'exports' | 'jobs' | 'observers' | 'builds'
  placeId?: string
  /** Sources whose files may be stale, by id. */
  sources?: string[]
}

/** Requests a minute: of anonymous clients, of a key or a user, and of either for expensive questions. */
export type LimitName = 'anonymous' | 'key' | 'heavy'

export interface Limiter {
  /** How many a minute. */
  rates: Record<LimitName, number>
  /** Counts one request; false where the limit is exceeded. */
  take(name: LimitName, who: string): Promise<boolean>
}

/** A question that failed while a page was rendered. */
export interface PageFailure {
  /** As a `Failure` has it. */
  kind: string
  /** The insight that was asked, where it was one. */
  insightId: string | null
}

/**
 * Everything a domain function may reach. Time, files, queue, mail and the outside world come in here,
 * so tests pass others.
 */
export interface Context {
  /** For single statements: each runs under the actor's row-level security. Inside a transaction use only `tx`. */
  db: Db
  /** Several statements that must agree. A failure rolls back; what it throws passes through. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same, where the accounts, sessions, keys, memberships and counted tries of everyone are seen: only for `functions/domain/identity`, which
   * needs them before it is known who asks, and what ends someone else's sessions.
   */
  accounts: Pick<Context, 'db' | 'transaction'>
  actor: Actor
  site: Site
  /** The place the person works in (main mode) or the hub's place; null for a personal account. */
  placeId: string | null
  now(): Date
  files: R2Bucket
  tiles: R2Bucket
  hubs: R2Bucket
  /** Where hosts of organisations are let in and get their certificates; null: someone else sees to that. */
  hosts: Hosts | null
  /**
   * Tells the queue that the outbox has something new, or that runs, observers or hubs of another build wait; after some
   * seconds, where they are given. Losing the message is survivable: cron sweeps.
   */
  wake(kind?: 'outbox' | 'jobs' | 'observers' | 'builds', delaySeconds?: number): void
  sendMail(mail: Mail): Promise<void>
  fetch: typeof fetch
  /** Errors that no one expected, with the request's id. A no-op in development and tests. */
  report(error: unknown, about: Record<string, string>): void
  /** Analytics. A no-op in development, in tests and while pages are rendered for hubs. */
  track(event: string, about: Record<string, string>): void
  /** What an answer was made of ('page:{id}', 'source:{id}', 'pages:{placeId}' …): the prerender records it. */
  depends: Set<string>
  /**
   * Answers of earlier questions. Set where pages are rendered for one reader, each once for every language, so that they share
   * answers of one moment. Without it every question is asked.
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
  /** What the answer has kept so far, by the names of the files. */
  attachments: ReadonlyMap<string, { type: string; body: string }>
  /** Collects failed questions where pages are rendered to be stored; absent elsewhere. */
  failures?: PageFailure[]
  /** The request as identity needs it: headers in (cookie, agent), headers out (set-cookie). */
  request: { id: string; headers: Headers; ip: string | null }
  responseHeaders: Headers
  /** The status of what goes well, where the endpoint decides it; null: the verb's own, 201 for `create`, else 200. */
  responded: { status: number | null }
  /** What the request turned out to be about, for counting how much each place is used; nothing of who asked. */
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
  /** When a field of records gets an index of its own; without it as `indexLimits` in functions/domain/dataset/indexes.ts says. */
  indexes?: { asked: number; records: number; most: number; days: number }
  /** How many importers a place has at most; without it 200. */
  importersPerPlace?: number
  /** Who may make an organization (`domains`: of mail addresses, for `domain`); without it only super admins, who invite people into it. */
  organizations?: { by: OrganizationsBy; domains: string[] }
  /** The hash of the archive of tiles that maps stand on; without it the one that was made here. */
  basemap?: string
  /** 'optional': super admins need no second factor, as on one's own machine. Without it they do. */
  secondFactor?: 'optional'
  /** Who lets hosts of organisations in; without it no one (production), or what says so on this machine. */
  cloudflare?: { zoneId: string; token: string }
  /** What uploads that go past the Worker are signed with; without it the Worker takes them itself. */
  r2?: { endpoint: string; accessKeyId: string; secretAccessKey: string; bucket: string }
}

/**
 * Drafts of unsaved input in local storage, one per person, place and thing. Written synchronously, so that they survive the closing
 * of a tab. Never for secrets: `storable-inputs.ts` decides what of a form is stored.
 */

/** Typed values by the name of their input. */
export type Texts = Record<string, string>

export interface Draft {
  texts: Texts
  /** When the draft was stored, in milliseconds since the epoch. */
  at: number
  /** The version of the thing that the draft was started from; null for a thing that does not exist yet, or has no versions. */
  version: number | null
  /** The label in the list of drafts, and the path of the screen. */
  title: string
  path: string
  /** Submissions without a response when the draft was stored, oldest first: they may still arrive, and are then no conflict. */
  sent?: Texts[]
  /** An older draft that was offered and not decided about when this one was started. */
  earlier?: Draft
}

/** Identifies a draft. `field`: the part of the thing, '' for all of it. */
export interface DraftKey {
  userId: string
  /** '' for the personal account. */
  placeId: string
  /** Kind and id: `page/seattle-rain`. */
  thing: string
  field: string
}

export type DraftOutcome = 'kept' | 'full' | 'off'

/** Quota of this store, out of the about five million characters that browsers allow. */
export const maxCharacters = 3_000_000
export const keptDays = 30

const prefix = 'draft.1.'
const day = 86_400_000

/** The storage key of a draft; also the value of the field `kept`, which tells the server whose draft a form submits. */
export function draftName({ userId, placeId, thing, field }: DraftKey): string {
  return prefix + [userId, placeId, thing, field].map(encodeURIComponent).join('/')
}

export function draftKeyIn(name: string): DraftKey | null {
  if (!name.startsWith(prefix)) return null
  const parts = name.slice(prefix.length).split('/')
  if (parts.length !== 4) return null
  try {
    const [userId = '', placeId = '', thing = '', field = ''] = parts.map(decodeURIComponent)
    return { userId, placeId, thing, field }
  } catch {
    return null
  }
}

/** Whether two sets of values are equal; a missing value equals ''. */
export function isSameTexts(a: Texts, b: Texts): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => (a[name] ?? '') === (b[name] ?? ''))
}

interface Drafts {
  get(key: DraftKey): Draft | null
  /** Replaces the stored draft. Gives 'full' if the device has no room, 'off' after signing out. */
  store(key: DraftKey, draft: Draft): DraftOutcome
  /** Removes a draft, unless it was stored after `since`; an older undecided draft takes its place. */
  remove(key: DraftKey, since?: number): void
  /** The drafts of a person, newest first. */
  listByUser(userId: string): { key: DraftKey; draft: Draft }[]
  /** Removes all drafts of a person and stores no more of them until `resume`. */
  end(userId: string): void
  /** Stores drafts again after a person has signed in. */
  resume(userId: string): void
  /** Removes drafts older than thirty days, and unreadable ones. */
  sweep(): void
}

const withFullStop = (userId: string) => `drafts.ended.${userId}`

/** The drafts in a storage. Without one (private mode, storage blocked) nothing is stored and `store` gives 'full'. */
export function draftsIn(storage: Storage | null, now: () => number): Drafts {
  const names = () => {
    const all: string[] = []
    for (let i = 0; i < (storage?.length ?? 0); i += 1) {
      const name = storage?.key(i)
      if (name?.startsWith(prefix)) all.push(name)
    }
    return all
  }
  const read = (name: string): Draft | null => {
    try {
      const draft = draftFrom(JSON.parse(storage?.getItem(name) ?? 'null'))
      return draft && draft.at > now() - keptDays * day ? draft : null
    } catch {
      return null
    }
  }
  const sizeUsed = (but: string) =>
    names().reduce((sum, name) => sum + (name === but ? 0 : (storage?.getItem(name)?.length ?? 0)), 0)

  return {
    get: (key) => read(draftName(key)),
    store(key, draft) {
      if (!storage) return 'full'
      if (storage.getItem(withFullStop(key.userId))) return 'off'
      const name = draftName(key)
      const text = JSON.stringify(draft)
      if (text.length + sizeUsed(name) > maxCharacters) return 'full'
      try {
        storage.setItem(name, text)
        return 'kept'
      } catch {
        return 'full'
      }
    },
    remove(key, since = Infinity) {
      const name = draftName(key)
      const draft = read(name)
      if (draft && draft.at > since) return
      if (draft?.earlier) storage?.setItem(name, JSON.stringify(draft.earlier))
      else storage?.removeItem(name)
    },
    listByUser(userId) {
      return names()
        .flatMap((name) => {
          const key = draftKeyIn(name)
          const draft = key?.userId === userId ? read(name) : null
          return key && draft ? [{ key, draft }] : []
        })
        .sort((a, b) => b.draft.at - a.draft.at)
    },
    end(userId) {
      for (const name of names()) if (draftKeyIn(name)?.userId === userId) storage?.removeItem(name)
      try {
        storage?.setItem(withFullStop(userId), String(now()))
      } catch {
        // A full storage accepts no new drafts either.
      }
    },
    resume(userId) {
      storage?.removeItem(withFullStop(userId))
    },
    sweep() {
      for (const name of names()) if (!draftKeyIn(name) || !read(name)) storage?.removeItem(name)
    },
  }
}

/** Parses a stored draft; null if it is none. */
function draftFrom(value: unknown): Draft | null {
  const {
    texts,
    at,
    version,
    title,
    path,
    sent: submissions,
    earlier,
  } = (value ?? {}) as Partial<Record<keyof Draft, unknown>>
  const values = textsFrom(texts)
  if (!values || typeof at !== 'number') return null
  const pendingTexts = Array.isArray(submissions)
    ? submissions.map(textsFrom).filter((each) => each !== null)
    : []
  const before = earlier === undefined ? null : draftFrom(earlier)
  return {
    texts: values,
    at,
    version: typeof version === 'number' ? version : null,
    title: typeof title === 'string' ? title : '',
    // Only a path of this site, as it becomes a link.
    path: typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/',
    ...(pendingTexts.length > 0 ? { sent: pendingTexts } : {}),
    ...(before ? { earlier: before } : {}),
  }
}

function textsFrom(value: unknown): Texts | null {
  if (typeof value !== 'object' || value === null) return null
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

let draftStore: Drafts | null = null

/** The drafts of this browser; an empty store on the server. */
export function drafts(): Drafts {
  if (typeof window === 'undefined') return draftsIn(null, Date.now)
  draftStore ??= draftsIn(findLocalStorage(), Date.now)
  return draftStore
}

function findLocalStorage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

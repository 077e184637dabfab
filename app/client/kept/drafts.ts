/**
 * What was typed and not saved, kept on this device: a draft per person, place and thing, in local storage. Written at once
 * (no promise), so that it is there when a tab is closed. Never for secrets: `allowed.ts` says what of a form is kept.
 */

/** What was typed, by the name of its input. */
export type Texts = Record<string, string>

export interface Draft {
  texts: Texts
  /** When it was kept, in milliseconds. */
  at: number
  /** The version of the thing it was begun from; null: the thing is not made yet, or has none. */
  version: number | null
  /** What it is called where drafts are listed, and the path of its screen. */
  title: string
  path: string
  /** What was sent and not answered when it was kept, the last last: it may arrive later, and is no one else's then. */
  sent?: Texts[]
  /** An older draft that was offered and not decided about when this one was begun. */
  earlier?: Draft
}

/** Whose draft of what. `field`: the part of the thing, '' for all of it. */
export interface DraftKey {
  userId: string
  /** '' in the personal account. */
  placeId: string
  /** Kind and id: `page/seattle-rain`. */
  thing: string
  field: string
}

export type DraftOutcome = 'kept' | 'full' | 'off'

/** As much as this store takes of a browser's five million characters. */
export const mostCharacters = 3_000_000
export const keptDays = 30

const prefix = 'draft.1.'
const day = 86_400_000

/** The name of a draft; also the value of the field `kept`, by which a form says whose words it sends. */
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

/** Whether two sets of texts say the same. */
export function isSameTexts(a: Texts, b: Texts): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => (a[name] ?? '') === (b[name] ?? ''))
}

interface Drafts {
  get(key: DraftKey): Draft | null
  /** Keeps a draft in place of the one before; 'full' where the device has no room, 'off' after signing out. */
  keep(key: DraftKey, draft: Draft): DraftOutcome
  /** Removes a draft, unless it was kept after `since`; what was older and undecided takes its place. */
  remove(key: DraftKey, since?: number): void
  /** The drafts of a person, newest first. */
  listOf(userId: string): { key: DraftKey; draft: Draft }[]
  /** Removes all drafts of a person and keeps no more of them, until `resume`. */
  end(userId: string): void
  /** Begins again after a person has signed in. */
  resume(userId: string): void
  /** Removes what is older than thirty days, and what cannot be read. */
  sweep(): void
}

const withFullStop = (userId: string) => `drafts.ended.${userId}`

/** Drafts in a storage; without one (private mode, a browser that forbids it) nothing is kept, and it says so. */
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
    keep(key, draft) {
      if (!storage) return 'full'
      if (storage.getItem(withFullStop(key.userId))) return 'off'
      const name = draftName(key)
      const text = JSON.stringify(draft)
      if (text.length + sizeUsed(name) > mostCharacters) return 'full'
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
    listOf(userId) {
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
        // A full storage keeps nothing new either.
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

/** A draft as it was stored; null for anything else. */
function draftFrom(value: unknown): Draft | null {
  const { texts, at, version, title, path, sent, earlier } = (value ?? {}) as Partial<
    Record<keyof Draft, unknown>
  >
  const values = textsFrom(texts)
  if (!values || typeof at !== 'number') return null
  const pendingTexts = Array.isArray(sent) ? sent.map(textsFrom).filter((each) => each !== null) : []
  const before = earlier === undefined ? null : draftFrom(earlier)
  return {
    texts: values,
    at,
    version: typeof version === 'number' ? version : null,
    title: typeof title === 'string' ? title : '',
    // Only ever a path of ours: it becomes a link.
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

/** The drafts of this browser. On the server there are none. */
export function drafts(): Drafts {
  if (typeof window === 'undefined') return draftsIn(null, Date.now)
  draftStore ??= draftsIn(storageOf(), Date.now)
  return draftStore
}

function storageOf(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

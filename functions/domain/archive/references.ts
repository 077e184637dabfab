import { mediaPath } from '#functions/engine/media/address.ts'
import { refusal } from './read.ts'

/** The nouns that can be referenced in an archive. */
export type ReferencedNoun =
  | 'dataType'
  | 'source'
  | 'insight'
  | 'collection'
  | 'collectionText'
  | 'page'
  | 'content'
  | 'boundarySet'
  | 'media'
  | 'folder'

const words: Record<ReferencedNoun, string> = {
  dataType: 'data type',
  source: 'source',
  insight: 'insight',
  collection: 'collection',
  collectionText: 'text',
  page: 'page',
  content: 'content',
  boundarySet: 'boundary set',
  media: 'file of the media library',
  folder: 'folder',
}

/** The members of a question and of an observer's filters that name something of the place. */
const members: Record<string, ReferencedNoun> = {
  dataTypeId: 'dataType',
  sourceId: 'source',
  insightId: 'insight',
}

/** Maps the ids in an archive to the ids here. */
export class References {
  private readonly ids = new Map<ReferencedNoun, Map<string, string>>()
  private readonly names = new Map<string, string>()
  /** `instance`: the origin where the archive was made. */
  constructor(private readonly instance: string) {}

  set(noun: ReferencedNoun, from: string, to: string): void {
    const ids = this.ids.get(noun) ?? new Map<string, string>()
    this.ids.set(noun, ids.set(from, to))
  }

  setMedia(from: string, to: string, name: string): void {
    this.set('media', from, to)
    this.names.set(to, name)
  }

  has(noun: ReferencedNoun, from: string): boolean {
    return this.ids.get(noun)?.has(from) ?? false
  }

  /** The id here of a thing in the archive. Failure `invalid` at `path` for an unknown id: references never leave the archive. */
  get(noun: ReferencedNoun, from: string, path: (string | number)[]): string {
    const to = this.ids.get(noun)?.get(from)
    if (to === undefined) throw refusal(path, `The archive has no ${words[noun]} with the id ${from}.`)
    return to
  }

  /** Maps the ids in a query, or any other JSON. */
  question(value: unknown, path: (string | number)[]): unknown {
    if (Array.isArray(value)) return value.map((item, i) => this.question(item, [...path, i]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => {
        const noun = Object.hasOwn(members, name) ? members[name] : undefined
        if (noun && typeof member === 'string') return [name, this.get(noun, member, [...path, name])]
        return [name, this.question(member, [...path, name])]
      }),
    )
  }

  /** Maps the URL of an archived file; other URLs are returned unchanged. */
  address(url: string): string {
    const path = url.startsWith(`${this.instance}/`) ? url.slice(this.instance.length) : url
    const [, id = ''] = /^\/m\/([0-9a-f-]{36})(?:\/|$)/.exec(path) ?? []
    const to = this.ids.get('media')?.get(id)
    if (to !== undefined) return mediaPath({ id: to, name: this.names.get(to) ?? 'file' })
    return path.startsWith('/') ? this.path(path) : url
  }

  /** Maps figures, links and pictures in HTML. The result is not sanitised: the caller must do that before storing it. */
  html(html: string): string {
    return html
      .replace(
        /(\b(?:href|src|poster)\s*=\s*)(["'])([^"'<>]*)\2/gi,
        (_all, name: string, mark: string, url: string) => [name, mark, this.address(url), mark].join(''),
      )
      .replace(/(value=")insight:([\w-]{1,64})(?=[?"])/g, (all, before: string, id: string) => {
        const to = this.ids.get('insight')?.get(id)
        return to === undefined ? all : `${before}insight:${to}`
      })
  }

  /** Maps the ids in a path of the hub or the workspace. */
  private path(path: string): string {
    const [before = '', ...after] = path.split(/(?=[?#])/)
    return [
      before
        .split('/')
        .map((part) => this.segment(part))
        .join('/'),
      ...after,
    ].join('')
  }

  private segment(part: string): string {
    for (const noun of ['page', 'source', 'dataType', 'insight', 'collection'] as const) {
      const to = this.ids.get(noun)?.get(part)
      if (to !== undefined && to !== part) return to
    }
    return part
  }
}

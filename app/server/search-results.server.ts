import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { pageTypeNames } from '#app/components/list/badges.tsx'
import { matchesWords } from '#app/components/shell/match-words.ts'
import type { PlaceSearchResults, SearchedNoun } from '#functions/shapes/place-search.ts'
import { v1 } from '#functions/v1/index.ts'
import { listThingCommands, invitePath, isVerb, personPath, type Command } from './commands.server.ts'
import { load } from './load.server.ts'

/** A found thing, with the commands for it that are offered. */
interface SearchHit {
  id: string
  to: string
  name: string
  kind: string
  commands: Command[]
}

interface SearchResults {
  found: SearchHit[]
  isCommand: boolean
}

type Thing = PlaceSearchResults['results'][number]

/** The name of each noun, and where a thing of it opens. */
const screens: Record<SearchedNoun, { kind: string | ((thing: Thing) => string); to(thing: Thing): string }> =
  {
    source: { kind: 'Source', to: ({ id }) => `/sources/${id}` },
    dataType: { kind: 'Data type', to: ({ id }) => `/types/${id}` },
    insight: { kind: 'Insight', to: ({ id }) => `/insights/${id}` },
    collection: { kind: 'Collection', to: ({ id }) => `/collections/${id}` },
    page: {
      kind: ({ under }) => pageTypeNames[under ?? ''] ?? 'Page',
      to: ({ id, under }) => `/pages/${under}/${id}`,
    },
    importer: { kind: 'Importer', to: ({ id, under }) => `/sources/${under}/importers/${id}` },
    observer: { kind: 'Observer', to: ({ id, under }) => `/types/${under}/observers/${id}` },
    boundarySet: { kind: 'Boundaries', to: ({ id }) => `/boundaries/${id}` },
    asset: { kind: 'File', to: ({ id }) => `/media-library?file=${id}` },
    user: { kind: 'Team', to: ({ name }) => personPath(name) },
    invite: { kind: 'Invitation', to: ({ id }) => invitePath(id) },
  }

/**
 * What the person may see in the active place that has the words of a text, best first; nothing without an active place. Where
 * the text begins with a verb ("publish bike counts"), the rest is looked for, and each result has the commands that the verb
 * names (`isCommand`); otherwise the first result has all of its commands.
 */
export async function findThings(args: LoaderFunctionArgs, text: string): Promise<SearchResults> {
  const { ctx } = args.context
  if (ctx.placeId === null) return { found: [], isCommand: false }
  const { verb, search } = splitVerb(text)
  const { things } = await load(args, { things: { endpoint: v1.place.search, options: { search } } })
  const hits = things.results.map((thing, at) => {
    const { kind, to } = screens[thing.noun]
    const isOffered = (command: Command) => (verb === null ? at === 0 : matchesWords(command, verb))
    return {
      id: `${thing.noun} ${thing.id}`,
      to: to(thing),
      name: thing.name,
      kind: typeof kind === 'string' ? kind : kind(thing),
      commands: listThingCommands(ctx, thing).filter(isOffered),
    }
  })
  return { found: hits, isCommand: verb !== null }
}

/** The verb at the beginning of a text, and the rest; null where there is none, or nothing after it. */
function splitVerb(text: string): { verb: string | null; search: string } {
  const [verb = '', ...rest] = text.split(/\s+/)
  const search = rest.join(' ')
  return isVerb(verb) && search.length >= 2 ? { verb, search } : { verb: null, search: text }
}

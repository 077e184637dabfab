import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { WhereUsedLine } from '#app/components/list/where-used.tsx'
import { load } from './load.server.ts'
import { hasPermission } from './session.server.ts'
import type { UsedNoun, Uses, UsingNoun } from '#functions/shapes/use.ts'
import { v1 } from '#functions/v1/index.ts'

type Use = Uses['results'][number]

const words: Record<UsingNoun, string> = {
  source: 'Sources',
  dataType: 'Data types',
  insight: 'Insights',
  importer: 'Importers',
  observer: 'Observers',
  collection: 'Collections',
  page: 'Pages',
  place: 'Look of the hub',
}

const addresses: Record<UsingNoun, (user: Use['some'][number], usedId: string) => string> = {
  source: ({ id }) => `/sources/${id}`,
  dataType: ({ id }) => `/types/${id}`,
  insight: ({ id }) => `/insights/${id}`,
  importer: ({ id, under }) => `/sources/${under}/importers/${id}`,
  observer: ({ id, under }) => `/types/${under}/observers/${id}`,
  collection: ({ id }) => `/collections/${id}`,
  page: ({ id, under }) => `/pages/${under}/${id}`,
  place: () => '/org/manage#look',
}

/** Where things of the active place are used, by id; no entry if a thing is unused or its uses are not visible. At most 200 ids. */
export async function loadUses(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  noun: UsedNoun,
  ids: readonly string[],
): Promise<Record<string, WhereUsedLine[]>> {
  if (ids.length === 0 || !hasPermission(args.context.ctx, 'activity.read')) return {}
  const { uses } = await load(args, { uses: { endpoint: v1.place.uses, options: { noun, ids } } })
  const lines: Record<string, WhereUsedLine[]> = {}
  for (const { usedId, noun, total, some } of uses.results) {
    const users = some.map((user) => ({ name: user.name, to: addresses[noun](user, usedId) }))
    ;(lines[usedId] ??= []).push({ label: words[noun], total, users })
  }
  return lines
}

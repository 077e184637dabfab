import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { toSearchText } from '#app/components/shell/palette-answer.ts'
import type { Findings } from '#app/components/shell/palette.tsx'
import { commandsAt } from '#app/server/commands.server.ts'
import { findThings } from '#app/server/search-results.server.ts'
import { listRecentlyOpened } from '#app/server/recent.server.ts'
import { screensBeside } from '#app/server/screens.server.ts'
import { guard } from '#app/server/session.server.ts'

/**
 * The data of the command palette, which is also a page: the best matches of each noun; the commands available at the screen `at`; the
 * screens besides those of the sidebar; and, without a search, recently opened things.
 */
export async function findScreen(args: LoaderFunctionArgs): Promise<Findings & { search: string }> {
  const { placeId } = guard(args, 'working')
  const { searchParams } = new URL(args.request.url)
  // Postgres text cannot contain NUL.
  const search = toSearchText(searchParams.get('search')?.replaceAll('\0', '') ?? '')
  const isSearch = search.length >= 2 && placeId !== null
  const [commands, hits, recentThings] = await Promise.all([
    commandsAt(args, searchParams.get('at') ?? ''),
    isSearch ? findThings(args, search) : { found: [], isCommand: false },
    isSearch ? [] : listRecentlyOpened(args),
  ])
  return {
    search,
    ...hits,
    commands,
    screens: screensBeside(args.context.ctx),
    opened: recentThings,
    isFailed: false,
  }
}

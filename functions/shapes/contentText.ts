import type { ContentKind } from './content.ts'
import { insightsOfText } from './figureReference.ts'

/** What each kind of part is called. */
export const kindNames: Record<ContentKind, string> = {
  text: 'Text',
  insight: 'Insight',
  map: 'Map',
  image: 'Image',
  video: 'Video',
  embed: 'Embed',
  divider: 'Divider',
}

/** Gives a setting that is a text; '' for anything else. */
export function textOf(settings: Record<string, unknown>, name: string): string {
  const value = settings[name]
  return typeof value === 'string' ? value : ''
}

/** The insights that a part of a page shows: the one it draws, or those that figures of its text are read from. */
export function insightsShownBy({
  kind,
  settings,
}: {
  kind: ContentKind
  settings: Record<string, unknown>
}): string[] {
  if (kind === 'text') return insightsOfText(textOf(settings, 'html'))
  const insightId = kind === 'insight' || kind === 'map' ? textOf(settings, 'insightId') : ''
  return insightId ? [insightId] : []
}

import type { ContentKind } from './content.ts'

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

import { Failure } from '#functions/errors.ts'
import { blockKinds, type BlockKind, type BlockSettings } from '#functions/shapes/block/index.ts'
import { contentIssues } from '#functions/shapes/content.ts'
import { cleanHtml } from './html.ts'

/**
 * A content's settings, validated by its kind, with HTML sanitised. Failure `invalid` with paths under
 * `settings`.
 */
export function checkSettings(kind: BlockKind, settings: BlockSettings): BlockSettings {
  const issues = contentIssues(kind, settings)
  if (issues.length) throw new Failure('invalid', { issues })
  return cleanSettings(kind, settings)
}

/** Settings with their HTML sanitised; those of a kind that no longer exists are returned unchanged. */
export function cleanSettings(kind: string, settings: BlockSettings): BlockSettings {
  const holdsHtml = Object.hasOwn(blockKinds, kind) && blockKinds[kind as BlockKind].holdsHtml
  return holdsHtml ? { ...settings, html: cleanHtml(String(settings.html)) } : settings
}

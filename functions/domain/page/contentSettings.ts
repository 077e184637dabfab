import { cleanHtml } from './html.ts'
import { Failure } from '#functions/errors.ts'
import { contentIssues, type ContentKind } from '#functions/shapes/content.ts'

/** What a content says about itself, checked by its kind; html sanitised. Failure `invalid` with paths under `settings`. */
export function settingsOf(kind: ContentKind, settings: Record<string, unknown>): Record<string, unknown> {
  const issues = contentIssues(kind, settings)
  if (issues.length) throw new Failure('invalid', { issues })
  return kind === 'text' ? { ...settings, html: cleanHtml(String(settings.html)) } : settings
}

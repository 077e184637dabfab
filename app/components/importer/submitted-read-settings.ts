import { isOfAnother, parseSubmittedHeaderRows } from './head-rows.ts'
import { parseSubmittedLeaveOut } from './leave-out.ts'
import type { SourceReadSettings } from './parser-guess.ts'

/** The reading options in a form or URL; '' without a choice. */
export function submittedReadSettings(
  values: Pick<URLSearchParams, 'get' | 'getAll'>,
  parser: string,
): SourceReadSettings {
  const selector = values.get('selector')?.trim() ?? ''
  return {
    zip: values.get('zip')?.slice(0, 200) ?? '',
    selector,
    headerRows: parseSubmittedHeaderRows((name) => values.get(name), { parser, selector }),
    leaveOut: parseSubmittedLeaveOut(
      (name) => values.getAll(name),
      isOfAnother(values.get('headerOf'), parser, selector),
    ),
  }
}

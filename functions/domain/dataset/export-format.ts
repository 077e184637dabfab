import { Failure } from '#functions/errors.ts'
import { acceptedFormats, exportFormats, type ExportFormat } from '#functions/shapes/export-format.ts'

/**
 * The format given by name, otherwise the supported one that `Accept` prefers (by `q`, then the order of the
 * header); JSON without a preference. Failure `notAcceptable` when no supported format is accepted.
 */
export function chooseFormat(asParameter: ExportFormat | undefined, accept: string | null): ExportFormat {
  if (asParameter !== undefined) return asParameter
  const acceptedTypes = (accept ?? '')
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((text) => text.startsWith('q='))
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ type }) => type !== '')
  if (acceptedTypes.length === 0) return 'json'
  const [row] = acceptedTypes
    .filter(({ type, quality }) => quality > 0 && Object.hasOwn(acceptedFormats, type))
    .sort((a, b) => b.quality - a.quality)
  const format = row && acceptedFormats[row.type]
  if (format === undefined)
    throw new Failure('notAcceptable', { message: `Has ${exportFormats.join(', ')}.` })
  return format
}

import { useId } from 'react'
import { uniqueIds } from './unique-ids.ts'

interface RawSvgProps {
  /** SVG from our own renderer; never text of a visitor or an editor. */
  svg: string
  className?: string
}

/**
 * Inlines a rendered chart or map, so that it uses the page's fonts and colours and shows without scripts. Besides RichText the only
 * unescaped markup of the hub: the SVG comes from our own renderer, which escapes its texts.
 */
export function RawSvg({ svg, className }: RawSvgProps) {
  const prefix = 'f' + useId().replaceAll(':', '')
  return <div className={className} dangerouslySetInnerHTML={{ __html: uniqueIds(svg, prefix) }} />
}

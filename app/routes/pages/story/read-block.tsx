import type { ReactElement } from 'react'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { RichText } from '#app/components/hub/rich-text.tsx'
import { blockKinds, getSettingText, type EditorBlock } from './blocks.ts'

/** A content for reading. Texts were sanitised by the server on save. */
export function ReadBlock({ block }: { block: EditorBlock }): ReactElement {
  const { kind, settings, view } = block
  const caption = getSettingText(settings, 'caption')
  switch (kind) {
    case 'text':
      return <RichText html={getSettingText(settings, 'html')} />
    case 'divider':
      return <hr className="divider" />
    case 'insight':
    case 'map':
      return view ? (
        <ShownInsight view={view} />
      ) : (
        <p className="notice is-warning">
          The insight of this block does not exist any more, or you may not see it. Readers do not see the
          block.
        </p>
      )
    case 'image':
      return (
        <figure className="picture">
          <img src={getSettingText(settings, 'url')} alt={getSettingText(settings, 'alt')} loading="lazy" />
          {caption ? <figcaption>{caption}</figcaption> : null}
        </figure>
      )
    case 'video':
    case 'embed':
      return (
        <p>
          {blockKinds[kind].name}:{' '}
          <a href={getSettingText(settings, 'url')}>{caption || getSettingText(settings, 'url')}</a>
        </p>
      )
  }
}

import { Link } from '@remix-run/react'
import { File, FileAudio, FileVideo } from 'lucide-react'
import { getMediaKind, sizeText, findThumbnailUrl, type Asset } from '#app/components/media/asset.ts'
import { Day } from '#app/components/list/time.tsx'

const icons = { image: File, video: FileVideo, audio: FileAudio, document: File }

export interface FileTileProps {
  asset: Asset
  view: string
  /** The link to its page. */
  to: string
  isChosen: boolean
  onChoose(id: string, isChosen: boolean): void
  mayChoose: boolean
}

/** A file of the library in a grid or list: picture, name, and checkbox. */
export function FileTile({ asset, view, to, isChosen, onChoose, mayChoose }: FileTileProps) {
  const { id, name, type, size, alt, updatedAt, missingAt } = asset
  const thumb = missingAt ? null : findThumbnailUrl(asset)
  const Icon = icons[getMediaKind(type)]
  return (
    <li className={view === 'grid' ? 'media-tile card' : 'list-item'}>
      <span className="media-thumb">
        {thumb ? (
          <img src={thumb} alt="" loading="lazy" style={{ objectPosition: getFocalPosition(asset) }} />
        ) : (
          <Icon size={28} strokeWidth={1.25} aria-hidden="true" />
        )}
      </span>
      <div className="list-main">
        <p className="list-title truncate">
          <Link to={to} preventScrollReset>
            {name}
          </Link>
        </p>
        <p className="list-note">
          {sizeText(size)}
          {view === 'list' ? (
            <>
              , <Day date={updatedAt} />
            </>
          ) : null}
        </p>
      </div>
      {missingAt ? <span className="badge is-danger media-sign">File lost</span> : null}
      {thumb && !alt ? <span className="badge is-warning media-sign">No alt text</span> : null}
      {mayChoose ? (
        <label className="media-box">
          <input
            type="checkbox"
            name="ids"
            value={id}
            checked={isChosen}
            onChange={(event) => onChoose(id, event.target.checked)}
          />
          <span className="sr-only">Choose {name}</span>
        </label>
      ) : null}
    </li>
  )
}

/** A file's focal point as a CSS position. */
export const getFocalPosition = ({ focalX, focalY }: Pick<Asset, 'focalX' | 'focalY'>) =>
  `${Math.round(focalX * 100)}% ${Math.round(focalY * 100)}%`

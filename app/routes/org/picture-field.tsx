import { useContext, useState } from 'react'
import { TextField } from '#app/components/form/field.tsx'
import { pathOfUrl } from '#app/components/media/asset.ts'
import { MediaPicker } from '#app/components/media/media-picker.tsx'
import { FormChanged } from '#app/components/form/draft-field.tsx'

export interface PictureFieldProps {
  label: string
  name: string
  hint: string
  /** The stored URL; '' without one. */
  value: string
  assetsId: string
}

/** A picture of the organization: from the library, uploaded, or by URL. */
export function PictureField({ label, name, hint, value, assetsId }: PictureFieldProps) {
  const [url, setUrl] = useState(value)
  const markChanged = useContext(FormChanged)
  const set = (next: string) => {
    setUrl(next)
    markChanged()
  }
  return (
    <div className="picture-field">
      <div className="picture-shown">
        {url ? <img src={url} alt="" /> : <span className="muted">None</span>}
      </div>
      <div className="stack grow">
        <TextField
          label={label}
          name={name}
          hint={hint}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="Address of a picture"
        />
        <p className="button-group needs-scripts">
          <MediaPicker assetsId={assetsId} onPick={(asset) => set(pathOfUrl(asset.url))} />
          {url ? (
            <button type="button" className="button is-small is-quiet" onClick={() => set('')}>
              Take away<span className="sr-only"> {label}</span>
            </button>
          ) : null}
        </p>
      </div>
    </div>
  )
}

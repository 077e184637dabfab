import { useState } from 'react'
import {
  folderOptions,
  getMediaKind,
  pathOfUrl,
  sizeText,
  type Asset,
  type Folder,
} from '#app/components/media/asset.ts'
import { getFocalPosition } from './file-tile.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { formatUseCounts, WhereUsed, type WhereUsedLine } from '#app/components/list/where-used.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface FilePageProps {
  asset: Asset
  folders: Folder[]
  /** Its uses. */
  uses: WhereUsedLine[]
  mayUpdate: boolean
  mayDelete: boolean
}

/** The page of a file: metadata, focal point, URL, and uses. */
export function FilePage(props: FilePageProps) {
  const { asset, uses, mayUpdate } = props
  const isImage = getMediaKind(asset.type) === 'image'
  const [focus, setFocus] = useState({ focalX: asset.focalX, focalY: asset.focalY })
  return (
    <div className="file-page">
      <div className="stack">
        {asset.missingAt ? (
          <Lost since={asset.missingAt} />
        ) : (
          <Shown asset={asset} focus={focus} onFocus={mayUpdate && isImage ? setFocus : null} />
        )}
        <Facts
          facts={[
            ['Type', asset.type],
            ['Size', sizeText(asset.size)],
            ['Pixels', asset.width && asset.height ? `${asset.width} × ${asset.height}` : null],
            ['Changed', <Day key="day" date={asset.updatedAt} />],
          ]}
        />
        <div className="row">
          <input readOnly value={asset.url} aria-label="Address of the file" className="grow code" />
          <CopyButton text={asset.url} what="the address" />
        </div>
        <section className="stack" aria-labelledby="uses">
          <h3 id="uses">Where it is shown</h3>
          <WhereUsed lines={uses} nowhere="Nowhere in this organization." />
        </section>
      </div>
      <FileForm {...props} focus={focus} onFocus={setFocus} />
    </div>
  )
}

interface FileFormProps extends FilePageProps {
  focus: Focus
  onFocus(focus: Focus): void
}

/** The metadata form of the file, and its delete button. */
function FileForm({ asset, folders, uses, mayUpdate, mayDelete, focus, onFocus }: FileFormProps) {
  const isImage = getMediaKind(asset.type) === 'image'
  return (
    <EditForm
      thing={`file/${asset.id}`}
      title={asset.name}
      version={asset.version}
      preventScrollReset
      asks={mayUpdate}
      names={['name', 'alt', 'folderId']}
      saved={asset}
      save={mayUpdate ? { intent: 'save', label: 'Save', doing: 'Saving…' } : null}
      intents={['delete']}
      more={
        mayUpdate && mayDelete ? (
          <ConfirmButton
            intent="delete"
            question={`Delete ${asset.name}?`}
            text={
              uses.length
                ? `It is used (${formatUseCounts(uses)}), which lose it. It cannot be brought back.`
                : 'It cannot be brought back.'
            }
            answer="Delete"
            className="button is-danger"
          >
            Delete
          </ConfirmButton>
        ) : null
      }
    >
      <input type="hidden" name="id" value={asset.id} />
      {isImage ? (
        <TextArea
          label="Alt text"
          name="alt"
          hint="What one would say of the picture to someone who does not see it. Pages take it over."
          rows={3}
          maxLength={1000}
          disabled={!mayUpdate}
        />
      ) : null}
      <TextField label="Name" name="name" required maxLength={200} disabled={!mayUpdate} />
      <SelectField
        label="Folder"
        name="folderId"
        options={[{ value: '', label: 'Media library' }, ...folderOptions(folders)]}
        disabled={!mayUpdate}
      />
      {isImage ? (
        <fieldset className="fieldset" disabled={!mayUpdate}>
          <legend>Focal point</legend>
          <p className="field-hint">
            What stays in view where the picture is cut. Click on it, or move it here.
          </p>
          <Slider label="Across" name="focalX" focus={focus} onFocus={onFocus} />
          <Slider label="Down" name="focalY" focus={focus} onFocus={onFocus} />
        </fieldset>
      ) : null}
    </EditForm>
  )
}

/** Shown for a file that the storage has lost: what that means, and what to do. */
function Lost({ since }: { since: Date | string }) {
  return (
    <div className="notice is-danger">
      <p>
        <strong>The storage has lost this file</strong> (noticed <Day date={since} />
        ). Wherever it is shown, nothing is seen. Upload it again, choose the new one in those places, and
        delete this one.
      </p>
    </div>
  )
}

interface Focus {
  focalX: number
  focalY: number
}

function Shown({
  asset,
  focus,
  onFocus,
}: {
  asset: Asset
  focus: Focus
  onFocus: ((focus: Focus) => void) | null
}) {
  const path = pathOfUrl(asset.url)
  const kind = getMediaKind(asset.type)
  // The library shows a file without captions, which belong to its use in a page.
  /* oxlint-disable jsx-a11y/media-has-caption */
  if (kind === 'video') return <video src={path} controls className="file-shown" aria-label={asset.name} />
  if (kind === 'audio') return <audio src={path} controls className="file-shown" aria-label={asset.name} />
  /* oxlint-enable jsx-a11y/media-has-caption */
  if (kind !== 'image')
    return (
      <p>
        <a className="button" href={path}>
          Open the file
        </a>
      </p>
    )
  const at = { insetInlineStart: `${focus.focalX * 100}%`, insetBlockStart: `${focus.focalY * 100}%` }
  return (
    <>
      {/* The sliders beside it do the same with the keyboard. */}
      <div
        className="focus-picture"
        role="presentation"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          onFocus?.({
            focalX: clampShare((event.clientX - box.left) / box.width),
            focalY: clampShare((event.clientY - box.top) / box.height),
          })
        }}
      >
        <img src={path} alt={asset.alt} />
        {onFocus ? <span className="focus-mark" style={at} aria-hidden="true" /> : null}
      </div>
      <div className="row focus-samples" aria-hidden="true">
        {['is-wide', 'is-square', 'is-tall'].map((shape) => (
          <span key={shape} className={`focus-sample ${shape}`}>
            <img src={path} alt="" style={{ objectPosition: getFocalPosition(focus) }} />
          </span>
        ))}
      </div>
    </>
  )
}

const clampShare = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 100) / 100

function Slider({
  label,
  name,
  focus,
  onFocus,
}: {
  label: string
  name: 'focalX' | 'focalY'
  focus: Focus
  onFocus(focus: Focus): void
}) {
  return (
    <label className="row">
      <span className="focus-label">{label}</span>
      <input
        type="range"
        className="grow"
        name={name}
        min={0}
        max={1}
        step={0.01}
        value={focus[name]}
        onChange={(event) => onFocus({ ...focus, [name]: Number(event.target.value) })}
      />
      <span className="num">{Math.round(focus[name] * 100)} %</span>
    </label>
  )
}

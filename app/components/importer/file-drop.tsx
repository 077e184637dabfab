import { useId, useState } from 'react'

interface FileDropProps {
  /** The name of its input, for submission without scripts. */
  name: string
  title: string
  hint: string
  onFile?(file: File): void
}

/** A drop zone with a file input. Without scripts it is just the input. */
export function FileDrop({ name, title, hint, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  const acceptFirstFile = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file) onFile?.(file)
  }
  return (
    <div
      className="dropzone file-drop"
      data-drop-target={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        acceptFirstFile(event.dataTransfer.files)
      }}
    >
      <label htmlFor={id} className="file-drop-title">
        {title}
      </label>
      <p id={`${id}-hint`}>{hint}</p>
      <input
        id={id}
        type="file"
        name={name}
        aria-describedby={`${id}-hint`}
        onChange={(event) => acceptFirstFile(event.currentTarget.files)}
      />
    </div>
  )
}

import { useState } from 'react'

/** Copies a text to the clipboard and confirms it. Without scripts the text can still be selected. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 3000)
  }
  return (
    <span className="row needs-scripts">
      <button type="button" className="button" onClick={() => void copy()}>
        Copy<span className="sr-only"> {what}</span>
      </button>
      <span role="status" className="muted">
        {isCopied ? 'Copied.' : ''}
      </span>
    </span>
  )
}

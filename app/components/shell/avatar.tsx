/** A small picture of a place or person, else the first letters of the name. Decoration: the name stands beside it. */
export function Avatar({
  name,
  image,
  isLarge = false,
}: {
  name: string
  image: string | null
  isLarge?: boolean
}) {
  const className = isLarge ? 'avatar' : 'avatar is-small'
  const size = isLarge ? 48 : 32
  if (image) return <img className={className} src={image} alt="" width={size} height={size} />
  return (
    // Drawn by the style sheet: text would be expected in the name of a button it stands in.
    <span className={className} aria-hidden="true" data-initials={initials(name)} />
  )
}

/** Gives the first letters of the first two words, in capitals. */
export function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

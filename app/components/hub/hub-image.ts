/** A picture of a place as a page has it: its room is known before it comes. */
export interface HubImage {
  src: string
  srcSet?: string | undefined
  width: number
  height: number
}

/** How a place is signed; each may be missing. All stand beside or for the name, which is always there in words. */
export interface HubLogos {
  /** Beside the name. */
  mark?: HubImage
  /** With the name in it: instead of the words where there is room. */
  wide?: HubImage
  /** Where there is little room. */
  small?: HubImage
}

/** The picture at the head of the first page. */
export interface HubHeaderImage extends HubImage {
  alt: string
  /** What stays when its top and bottom are cut off. */
  keeps: 'top' | 'middle' | 'bottom'
}

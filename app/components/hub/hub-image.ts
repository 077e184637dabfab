/** An image with known dimensions, so that its space is reserved. */
export interface HubImage {
  src: string
  srcSet?: string | undefined
  width: number
  height: number
}

/** The logos of a place, all optional. They accompany or replace the name, which is always present as text. */
export interface HubLogos {
  /** Beside the name. */
  mark?: HubImage
  /** Includes the name: replaces the text on wide screens. */
  wide?: HubImage
  /** For narrow screens. */
  small?: HubImage
}

/** The header image of the home page. */
export interface HubHeaderImage extends HubImage {
  alt: string
  /** The focal part that stays when it is cropped vertically. */
  keeps: 'top' | 'middle' | 'bottom'
}

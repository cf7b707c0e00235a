export interface ContributionProps {
  /** The plugin that contributes it. */
  readonly plugin: string;
  readonly title: string;
}

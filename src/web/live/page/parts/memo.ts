import { Component, type ComponentType, h, type VNode } from 'preact';

/** A component that is drawn again only when one of its properties is another value. */
export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now = this.props as Readonly<P>;
      const names = new Set([...Object.keys(now), ...Object.keys(next)]) as Set<keyof P>;
      return [...names].some((name) => now[name] !== next[name]);
    }
    override render(): VNode {
      return h(Inner as ComponentType<object>, this.props);
    }
  };
}

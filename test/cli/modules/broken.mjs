throw new Error('no such shop');
